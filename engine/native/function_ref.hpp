// A function that is passed on by reference: what takes one is compiled once, for all functions.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace proofbase {

template <class Signature>
class FunctionRef;

/// Refers to a function object that lives longer, such as an argument of the call that it is passed to.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
  public:
    template <class Function>
        requires(!std::same_as<std::remove_cvref_t<Function>, FunctionRef> &&
                 std::is_invocable_r_v<Result, Function&, Arguments...>)
    FunctionRef(Function&& function) noexcept
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
          call_([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Function>*>(object))(std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

  private:
    void* object_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace proofbase
