package memory

import "kota/store/sqlite/index"

// Indexes are all that there are.
func Indexes() []index.Index { return []index.Index{memoryIndex, entryIndex, documentIndex} }
