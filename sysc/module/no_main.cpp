// What SystemC's library, which has a main() of its own, would call; weak, so that a program may have a real one.
// SPDX-License-Identifier: Apache-2.0
extern "C" int sc_main(int argc, char** argv);

extern "C" __attribute__((weak)) int sc_main(int /*argc*/, char** /*argv*/) { return 1; }
