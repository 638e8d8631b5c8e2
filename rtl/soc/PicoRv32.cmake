# Finds PicoRV32's Verilog, of the pinned Python package: in build/venv, where tools/setup puts it, or in Python's own path.
file(GLOB found ${CMAKE_SOURCE_DIR}/build/venv/lib/python3*/site-packages/pythondata_cpu_picorv32/verilog/picorv32.v)
if(NOT found)
  set(interpreter python3)
  if(Python_EXECUTABLE)   # of a build by pip, which has installed the package for it
    set(interpreter ${Python_EXECUTABLE})
  endif()
  execute_process(COMMAND ${interpreter} -c "import pythondata_cpu_picorv32 as p; print(p.data_location)"
                  OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(GLOB found ${folder}/picorv32.v)
endif()
if(found)
  list(GET found 0 found)
endif()
set(LIGHTLOOP_PICORV32 "${found}" CACHE FILEPATH "picorv32.v of the Python package pythondata-cpu-picorv32")
if(NOT EXISTS "${LIGHTLOOP_PICORV32}" AND found)   # what was found before has gone
  set(LIGHTLOOP_PICORV32 "${found}" CACHE FILEPATH "picorv32.v of the Python package pythondata-cpu-picorv32" FORCE)
endif()
if(NOT EXISTS "${LIGHTLOOP_PICORV32}")
  message(FATAL_ERROR "Device soc needs PicoRV32's Verilog, which isn't there: run tools/setup (Python package "
                      "pythondata-cpu-picorv32 in build/venv), or configure with -DLIGHTLOOP_SOC=OFF")
endif()
