// Who owns what of a GPU. A Context holds the device's primary context, the one that everything else in the
// process shares; what it makes, memory, modules, streams and events, are Handles that go with their scope:
//
//     Context context(driver, 0);
//     const Handle<cuda::Pointer> buffer = context.allocate(4096);     // freed at the end of the block
//
// A kernel that never ends cannot be stopped, and whatever waits for it would never return; one that faults
// leaves a context in which every call fails, and no way to a new one in the same process. So a context can
// be abandoned: from then on nothing is given back, and the process is to end without its destructors.
// Handles may not outlive their context. Not here: what a program does with them (gpu_device.cpp).
#pragma once

#include "runtime/driver.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tmemc::runtime {

/// A module as loaded, with what the driver's compiler had to say.
struct LoadLog {
    std::string information, errors;
};

template <class Value>
class Handle {
  public:
    Handle() = default;
    Handle(const Driver& driver, const cuda::Entry<Value>& release, const bool& abandoned, Value value)
        : driver_(&driver), release_(&release), abandoned_(&abandoned), value_(value) {}
    Handle(Handle&& other) noexcept { swap(other); }
    Handle& operator=(Handle&& other) noexcept {
        swap(other);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (driver_ != nullptr && !*abandoned_) release_->function(value_);
    }
    [[nodiscard]] Value get() const { return value_; }

  private:
    const Driver* driver_ = nullptr;
    const cuda::Entry<Value>* release_ = nullptr;
    const bool* abandoned_ = nullptr;
    Value value_{};
    void swap(Handle& other) {
        std::swap(driver_, other.driver_);
        std::swap(release_, other.release_);
        std::swap(abandoned_, other.abandoned_);
        std::swap(value_, other.value_);
    }
};

class Context {
  public:
    Context(std::shared_ptr<const Driver> driver, int device);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Makes it the thread's current context, which all calls but those for devices work on.
    void enter() const;
    [[nodiscard]] const Driver& driver() const { return *driver_; }
    [[nodiscard]] Handle<cuda::Pointer> allocate(std::uint64_t bytes) const;
    [[nodiscard]] Handle<cuda::Stream> stream() const;
    [[nodiscard]] Handle<cuda::Event> event() const;
    /// Loads a cubin or PTX text; `log` holds what was said of it also when a DeviceFailure is thrown.
    [[nodiscard]] Handle<cuda::Module> load(const std::string& image, const std::string& name,
                                            LoadLog& log) const;
    void abandon() { abandoned_ = true; }
    [[nodiscard]] bool abandoned() const { return abandoned_; }

  private:
    std::shared_ptr<const Driver> driver_;
    std::string doing_; // "opening GPU 0"
    cuda::DeviceId device_ = 0;
    cuda::Context context_ = nullptr;
    bool abandoned_ = false;

    template <class Value>
    [[nodiscard]] Handle<Value> own(const cuda::Entry<Value>& release, Value value) const {
        return {*driver_, release, abandoned_, value};
    }
};

} // namespace tmemc::runtime
