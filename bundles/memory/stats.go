package memory

import (
	"context"

	"kota/store"
)

// Counted are figures on the memories and their file.
type Counted struct {
	Memories  int   `json:"memories"`
	Expired   int   `json:"expired"`
	Deleted   int   `json:"deleted"`  // that can be restored
	Versions  int   `json:"versions"` // earlier ones, that can be restored
	Bytes     int64 `json:"bytes"`    // of the values
	ToIndex   int   `json:"to_index"` // rows that the next search puts into its index
	FileBytes int64 `json:"file_bytes"`
}

// Stats counts. It reads every memory.
func Stats(ctx context.Context, memories interface {
	Stats(ctx context.Context) (store.Stats, error)
}) (Counted, error) {
	s, err := memories.Stats(ctx)
	return Counted(s), err
}
