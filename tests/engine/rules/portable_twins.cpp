// Random games of all games whose rules use instructions of some processors: one number for each, of all moves, keys,
// estimates of effort, numbers in tables, and what chess says of the children of a position.
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "games/chess.hpp"
#include "games/connect_four.hpp"
#include "games/giveaway.hpp"
#include "games/mens_morris.hpp"
#include "games/othello.hpp"
#include "games/qubic.hpp"

namespace {

using namespace proofbase;

std::uint64_t sum = 0;

template <class T>
void add(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) sum = (sum ^ byte) * 0x100000001b3ULL;
}

template <class G>
void walk(const char* parameters, int games) {
    const G game = G::from_parameters(parameters);
    std::mt19937_64 random(games);
    sum = 0xcbf29ce484222325ULL;
    for (int number = 0; number < games; ++number) {
        typename G::Position p = game.initial();
        for (int ply = 0; ply < 120 && !game.terminal(p); ++ply) {
            typename G::Moves moves;
            game.moves(p, moves);
            for (const auto move : moves) add(move);
            add(game.key(p));
            if constexpr (requires { game.effort(p, 1); }) {
                const Estimate estimate = game.effort(p, 1);
                add(estimate.reach);
                add(estimate.refute);
            }
            if constexpr (requires { game.table_rank(p); }) {
                if (game.table_class(p) != no_table_class) add(game.table_rank(p));
            }
            if constexpr (requires(std::span<typename G::Key> keys, std::span<std::uint32_t> counts) {
                              game.describe_children(p, std::span<const typename G::Move>(), keys, counts);
                          }) {
                std::vector<typename G::Key> keys(moves.size());
                std::vector<std::uint32_t> counts(moves.size());
                game.describe_children(p, std::span(moves.begin(), moves.end()), keys, counts);
                for (const auto& key : keys) add(key);
                for (const auto count : counts) add(count);
            }
            p = game.play(p, moves[random() % moves.size()]);
        }
    }
    std::printf("%s %s %016llx\n", std::string(G::family).c_str(), parameters, static_cast<unsigned long long>(sum));
}

}  // namespace

int main(int, char** arguments) {
    const int games = std::atoi(arguments[1]);
    walk<Chess>("", games);
    walk<Giveaway>("", games);
    walk<ConnectFour>("", games);
    walk<LargeConnectFour>("9x8", games);
    walk<MensMorris>("6", games);
    walk<Othello>("", games);
    walk<Othello>("4x4", games);
    walk<Qubic>("", games);
}
