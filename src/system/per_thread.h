// SPDX-License-Identifier: Apache-2.0
// Memory that a thread keeps between calls, for variables that `thread_local` must not hold.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace pidforest::system {

/// One T for each thread, made by the first call and destroyed when the thread ends. Use it as a static variable. If
/// memory is missing, it throws std::bad_alloc; `thread_local` would end the process, because glibc does so if it
/// cannot note the destructor of a variable.
template <class T>
class PerThread {
 public:
  PerThread() {
    if (pthread_key_create(&key_, [](void* value) { delete static_cast<T*>(value); }) != 0) throw std::bad_alloc();
  }

  T& operator()() const {
    if (void* value = pthread_getspecific(key_); value != nullptr) return *static_cast<T*>(value);
    auto value = std::make_unique<T>();
    if (pthread_setspecific(key_, value.get()) != 0) throw std::bad_alloc();
    return *value.release();
  }

 private:
  pthread_key_t key_ = {};
};

}  // namespace pidforest::system
