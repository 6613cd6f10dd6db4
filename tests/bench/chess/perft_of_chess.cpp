// Counts the lines of play of chess and giveaway and times them: `perft_of_chess DEPTH < lines of GAME;FEN`. For each
// line it prints the count and the processor seconds. The last ply is counted by the number of legal moves, without
// playing them, as move generators are compared.
#include <cstdint>
#include <ctime>
#include <iostream>
#include <string>

#include "games/chess.hpp"
#include "games/chessboard/rules.hpp"
#include "games/giveaway.hpp"

namespace {

using proofbase::chessboard::Board;
using proofbase::chessboard::Rules;

std::uint64_t perft(Rules rules, const Board& board, int depth) {
    if (depth == 1) return proofbase::chessboard::count_moves(rules, board);
    proofbase::chessboard::Moves moves;
    proofbase::chessboard::legal_moves(rules, board, moves);
    std::uint64_t lines = 0;
    for (const auto move : moves) lines += perft(rules, proofbase::chessboard::play(rules, board, move), depth - 1);
    return lines;
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const std::size_t first = line.find(';');
        const std::size_t second = line.find(';', first + 1);
        const std::string game = line.substr(0, first);
        const std::string fen = line.substr(first + 1, second - first - 1);
        const Rules rules = game == "chess" ? Rules::chess : game == "giveaway" ? Rules::giveaway : Rules::antichess;
        const Board board =
            rules == Rules::chess ? proofbase::Chess().parse(fen) : proofbase::Giveaway::from_parameters("").parse(fen);
        const std::clock_t started = std::clock();
        const std::uint64_t lines = perft(rules, board, std::stoi(line.substr(second + 1)));
        std::cout << lines << ' ' << static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC << std::endl;
    }
}
