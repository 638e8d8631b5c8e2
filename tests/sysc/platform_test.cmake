# Runs the example platform and compares what it prints. cmake -DPLATFORM=program -DBODY=tlm -DEXPECTED=file -P this
execute_process(COMMAND ${PLATFORM} ${BODY} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
file(READ ${EXPECTED} expected)
if(NOT said STREQUAL expected)
  message(FATAL_ERROR "${PLATFORM} ${BODY} says\n${said}instead of\n${expected}")
endif()
