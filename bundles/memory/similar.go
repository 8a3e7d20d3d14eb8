package memory

import (
	"context"

	"kota/store/semantic"
)

// Similar finds the memories that mean what a query means, the most similar
// first. The note, which is shown to the caller, says why not all of them were
// compared.
type Similar func(ctx context.Context, query string) (near []semantic.Near, note string)

// A similarity is one question for what means the same, which is asked when
// words leave room for it.
type similarity struct {
	find func(context.Context) []semantic.Near // nil: there is no such search
	note string
}

func (m *memory) similar(query string) *similarity {
	s := &similarity{}
	if m.Similar != nil {
		s.find = func(ctx context.Context) (near []semantic.Near) {
			near, s.note = m.Similar(ctx, query)
			return near
		}
	}
	return s
}
