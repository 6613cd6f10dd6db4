// The connect-four solver of C. Steininger (github ChristopheSteininger/c4) behind standard input: a line has the
// columns of the moves from 1 on, an empty line is the empty board. For each line the score for the side to move is
// printed, as P. Pons's program does; -w: 1, 0 or -1. The table is kept between lines.
//
// In a copy of its sources, with NUM_THREADS = 1 and ENABLE_HUGE_PAGES = true in src/solver/settings.h:
//
//   g++ -std=c++20 -O3 -march=native -flto -DNDEBUG -I src .../solver_of_lines.cpp $(find src/solver -name "*.cpp")
//       -o steininger -lpthread    (one line)
#include <iostream>
#include <string>

#include <solver/position.h>
#include <solver/solver.h>

int main(int count, char** arguments) {
    const bool weak = count > 1 && std::string(arguments[1]) == "-w";
    Solver solver;
    for (std::string line; std::getline(std::cin, line);) {
        Position position;
        for (const char column : line) position.move(column - '1');
        std::cout << line << ' ' << (weak ? solver.solve_weak(position) : solver.solve_strong(position)) << std::endl;
    }
}
