// Texts from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace proofbase {

namespace nb = nanobind;

/// The UTF-8 of a text. Throws Error for a text without UTF-8: undecodable bytes of a command line become halves of
/// surrogate pairs.
template <class Error>
std::string_view utf8(const nb::str& text) {
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {data, static_cast<std::size_t>(size)};
    PyErr_Clear();
    throw Error(std::string(nb::repr(text).c_str()) + " is no text: it holds half of a surrogate pair");
}

}  // namespace proofbase
