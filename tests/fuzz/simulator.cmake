tongchi_add_fuzz(pool_request_fuzz SOURCES pool_request_fuzz.cpp DEPENDS simulator)
tongchi_add_fuzz(promql_fuzz SOURCES promql_fuzz.cpp DEPENDS simulator)
