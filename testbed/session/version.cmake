# Writes version.cpp at build time, so that the commit in it is the one that was built. Arguments: ROOT, VERSION, OUT.
execute_process(COMMAND git describe --always --dirty --abbrev=10 --exclude=* WORKING_DIRECTORY ${ROOT}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "${VERSION}")
if(commit)
  string(APPEND text "+git${commit}")
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
// Which lightloop this is; written by version.cmake.
#include "testbed/session/version.hpp"
namespace ocs {
const char* version() { return "@text@"; }
}  // namespace ocs
]])
