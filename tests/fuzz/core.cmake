tongchi_add_fuzz(quantity_fuzz SOURCES quantity_fuzz.cpp DEPENDS core)
