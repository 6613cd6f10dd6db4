// How squares and boards of go-moku are written: h8 for a square, columns a, b, ... from the left, rows 1, 2, ... from
// the bottom; a board by its rows from the top, or as it is drawn.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proofbase::gomoku {

inline std::string square_text(int column, int row) {
    return static_cast<char>('a' + column) + std::to_string(row + 1);
}

/// {column, row} of a text such as h8 or H8; nothing for other texts and for squares that are not on the board.
inline std::optional<std::pair<int, int>> read_square(std::string_view text, int width, int height) {
    if (text.size() < 2 || text.size() > 3 || text[1] == '0') return std::nullopt;
    const int column = (text[0] | 0x20) - 'a';
    int row = 0;
    for (const char c : text.substr(1)) {
        if (c < '0' || c > '9') return std::nullopt;
        row = 10 * row + (c - '0');
    }
    const bool letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
    if (!letter || column >= width || row > height) return std::nullopt;
    return std::pair{column, row - 1};
}

/// The letters under a board of this width.
inline std::string column_letters(int width) {
    std::string letters;
    for (int column = 0; column < width; ++column) letters.push_back(static_cast<char>('a' + column));
    return letters;
}

/// The rows of cells, from the top, of a text in either form. A text with line feeds is a drawing: blanks do not count,
/// a number before a row has to be that of the row, and the line of the columns' letters may be there. Nothing if a
/// number is wrong; the cells, and how many of them there are, are not looked at.
inline std::optional<std::vector<std::string>> read_rows(std::string_view text, int width, int height) {
    const bool drawing = text.find('\n') != std::string_view::npos;
    std::vector<std::string> rows;
    while (true) {
        const std::size_t end = text.find(drawing ? '\n' : '/');
        std::string row(text.substr(0, end));
        if (drawing) {
            std::erase_if(row, [](char c) { return c == ' ' || c == '\r' || c == '\t'; });
            std::size_t digits = 0;
            while (digits < row.size() && row[digits] >= '0' && row[digits] <= '9') ++digits;
            if (digits > 0 && row.substr(0, digits) != std::to_string(height - static_cast<int>(rows.size()))) {
                return std::nullopt;
            }
            row.erase(0, digits);
        }
        if (!drawing || (!row.empty() && row != column_letters(width))) rows.push_back(std::move(row));
        if (end == std::string_view::npos) return rows;
        text.remove_prefix(end + 1);
    }
}

}  // namespace proofbase::gomoku
