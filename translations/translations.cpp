// The library consists of its resources; a source file keeps linkers content.
