package memory

// Indexes are all that there are.
func Indexes() []index { return []index{memoryIndex, entryIndex, documentIndex} }
