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

    /// The opening rule: x begins in the centre, o replies next to it, the second x is outside the 5x5 squares there.
    bool professional = false;

    /// WIDTHxHEIGHT or WIDTHxHEIGHT-LENGTH, `standard`, `professional`, in this order and separated by commas, each of
    /// them or not. Throws UnknownGame.
    static Parameters read(std::string_view text) {
        Parameters found;
        const std::string_view all = text;
        found.professional = take_rule(text, "professional");
        found.exact = take_rule(text, "standard");
        found.read_board(text, all);
        if (found.professional && (found.width % 2 == 0 || found.height % 2 == 0 ||
                                   std::min(found.width, found.height) < 7 || found.length != 5)) {
            throw UnknownGame("gomoku: " + quoted(all, 40) +
                              ": the opening rule needs odd sides of at least 7, and rows of 5");
        }
        return found;
    }

    std::string name() const {
        const bool usual = width == 15 && height == 15 && length == 5;
        std::string text = "gomoku";
        if (!usual) text.append(":").append(std::to_string(width)).append("x").append(std::to_string(height));
        if (length != 5) text.append("-").append(std::to_string(length));
        if (exact) text.append(usual ? ":" : ",").append("standard");
        if (professional) text.append(usual && !exact ? ":" : ",").append("professional");
        return text;
    }

  private:
    /// Whether the text ends with this rule, which is taken from it with the comma before it.
    static bool take_rule(std::string_view& text, std::string_view rule) {
        if (!text.ends_with(rule)) return false;
        const std::string_view before = text.substr(0, text.size() - rule.size());
        if (before.size() == 1 || (!before.empty() && before.back() != ',')) return false;
        text = before.substr(0, before.empty() ? 0 : before.size() - 1);
        return true;
    }

    /// `all`: the text with its rules, for messages.
    void read_board(std::string_view text, std::string_view all) {
        if (text.empty()) return;
        if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
            const std::string_view digits = text.substr(dash + 1);
            const bool number = !digits.empty() && digits.size() <= 3 && digits.front() != '0' &&
                                digits.find_first_not_of("0123456789") == std::string_view::npos;
            if (!number) throw UnknownGame("gomoku: " + quoted(all, 40) + ": the length of a row is a number");
            length = std::stoi(std::string(digits));
            text = text.substr(0, dash);
        }
        std::tie(width, height) = parse_board_size("gomoku", text);
        const auto [shorter, longer] = std::minmax({width, height});
        if (shorter < 3 || longer > 19) throw UnknownGame("gomoku: " + quoted(all, 40) + ": sides are 3 to 19");
        if (length < 3 || length > longer) {
            throw UnknownGame("gomoku: " + quoted(all, 40) + ": the length of a winning row is 3 to " +
                              std::to_string(longer) + ", not " + std::to_string(length));
        }
    }
};

}  // namespace proofbase::gomoku
