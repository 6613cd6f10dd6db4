// The parameters of go-moku's names: the size of the board, the length of a winning row, and the rule for longer rows.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include "errors.hpp"
#include "games/boards/board_size.hpp"

namespace proofbase::gomoku {

/// Sides are 3 to 19, lengths 3 to the longer side.
struct Parameters {
    int width = 15;
    int height = 15;
    int length = 5;
    bool exact = false;  ///< the rule `standard`: rows longer than `length` do not win

    /// WIDTHxHEIGHT, WIDTHxHEIGHT-LENGTH, each with ",standard" behind it, "standard", or nothing. Throws UnknownGame.
    static Parameters read(std::string_view text) {
        Parameters found;
        if (text.empty()) return found;
        const std::string_view all = text;
        constexpr std::string_view rule = "standard";
        if (text == rule) {
            found.exact = true;
            return found;
        }
        if (text.ends_with(",standard")) {
            found.exact = true;
            text.remove_suffix(rule.size() + 1);
        }
        if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
            const std::string_view digits = text.substr(dash + 1);
            const bool number = !digits.empty() && digits.size() <= 3 && digits.front() != '0' &&
                                digits.find_first_not_of("0123456789") == std::string_view::npos;
            if (!number) throw UnknownGame("gomoku: " + quoted(all, 40) + ": the length of a row is a number");
            found.length = std::stoi(std::string(digits));
            text = text.substr(0, dash);
        }
        std::tie(found.width, found.height) = parse_board_size("gomoku", text);
        const auto [shorter, longer] = std::minmax({found.width, found.height});
        if (shorter < 3 || longer > 19) throw UnknownGame("gomoku: " + quoted(all, 40) + ": sides are 3 to 19");
        if (found.length < 3 || found.length > longer) {
            throw UnknownGame("gomoku: " + quoted(all, 40) + ": the length of a winning row is 3 to " +
                              std::to_string(longer) + ", not " + std::to_string(found.length));
        }
        return found;
    }

    std::string name() const {
        const bool usual = width == 15 && height == 15 && length == 5;
        std::string text = "gomoku";
        if (!usual) text.append(":").append(std::to_string(width)).append("x").append(std::to_string(height));
        if (length != 5) text.append("-").append(std::to_string(length));
        if (exact) text.append(usual ? ":" : ",").append("standard");
        return text;
    }
};

}  // namespace proofbase::gomoku
