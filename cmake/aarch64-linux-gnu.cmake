# Builds the core for Linux on aarch64 on another machine, with the headers of that machine's Python (docs/operating.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
