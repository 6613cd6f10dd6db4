// Converts errors of the core to the classes of proofbase/engine/errors.py, and releases Python's lock while a thread
// waits for a record table.
#include <nanobind/nanobind.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "bindings/module/register.hpp"
#include "errors.hpp"
#include "games/python_game.hpp"
#include "records/fair_shared_mutex.hpp"
#include "search/api/search.hpp"

namespace proofbase {

namespace {

void raise(const char* name, const std::exception& error) {
    const nb::object kind = nb::module_::import_("proofbase.engine.errors").attr(name);
    PyErr_SetString(kind.ptr(), error.what());
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const InvalidParameters& error) {
        raise("InvalidParametersError", error);
    } catch (const GameLeftOut& error) {
        raise("NativeCoreMissingError", error);
    } catch (const UnknownGame& error) {
        raise("UnknownGameError", error);
    } catch (const InvalidPosition& error) {
        raise("InvalidPositionError", error);
    } catch (const InvalidMove& error) {
        raise("InvalidMoveError", error);
    } catch (const InvalidKey& error) {
        raise("InvalidKeyError", error);
    } catch (const MalformedRecord& error) {
        raise("MalformedRecordError", error);
    } catch (const UnsuitableAlgorithm& error) {
        raise("UnknownAlgorithmError", error);
    } catch (const InvalidCheckpoint& error) {
        raise("InvalidCheckpointError", error);
    } catch (const NoTables& error) {
        raise("NoTablesError", error);
    } catch (const DamagedTable& error) {
        raise("DamagedTableError", error);
    } catch (const std::filesystem::filesystem_error& error) {
        errno = error.code().value();
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path1().c_str());
    } catch (const Contradiction& error) {
        raise("ContradictionError", error);
    } catch (const Cancelled& error) {
        raise("SearchCancelledError", error);
    } catch (Interruption& interruption) {
        interruption.error.restore();
    }
}

/// Whether this thread holds Python's lock.
bool holds_python() {
#ifdef Py_LIMITED_API  // which begins with 3.12: before, the dictionary could be that of another thread
    return PyThreadState_GetDict() != nullptr;
#else
    return PyGILState_Check() != 0;
#endif
}

}  // namespace

void register_errors(nb::module_&) {
    nb::register_exception_translator(translate);
    FairSharedMutex::wait_hook.before = []() -> void* {
        return holds_python() ? static_cast<void*>(PyEval_SaveThread()) : nullptr;
    };
    FairSharedMutex::wait_hook.after = [](void* state) {
        if (state != nullptr) PyEval_RestoreThread(static_cast<PyThreadState*>(state));
    };
}

}  // namespace proofbase
