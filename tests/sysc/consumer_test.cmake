# Installs a component, builds a project against what was installed, runs it.
# cmake -DCOMPONENT=name -DBUILD=build tree -DWORK=empty folder -DSOURCE=consumer -DFLAGS=compiler flags -DCOMPILER=c++ -P this
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component ${COMPONENT} --prefix ${WORK}/root COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/root -DCMAKE_CXX_COMPILER=${COMPILER}
                        -DCMAKE_CXX_FLAGS=${FLAGS} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
