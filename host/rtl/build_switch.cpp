// Builds one switch ahead of time, for CMake: build_switch NAME CACHE FILE.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>

#include "host/rtl/store.hpp"

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 4) {
    std::cerr << "usage: build_switch NAME CACHE FILE   (NAME such as fast-16, the folder of the cache, the object)\n";
    return 2;
  }
  try {
    ocs::rtl::Places places = ocs::rtl::standard_places();
    places.cache = arguments[2];
    const ocs::rtl::Store store(
        places, [](const std::string& sentence) { std::cout << sentence << '\n'; }, 1);
    store.ship(ocs::rtl::parameters_of(arguments[1]), arguments[3]);
  } catch (const std::exception& failure) {
    std::cerr << "build_switch: " << failure.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
