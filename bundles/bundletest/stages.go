package bundletest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"kota/bundles/staged"
	"kota/metadata"
)

// Stages stores unfinished staged actions in memory, for tests of bundles without a
// database. It never deletes any. The zero Stages is empty.
type Stages struct {
	// Refuse returns the error for a save at that stage, or nil if the save may succeed.
	// If Refuse is nil, every save may succeed.
	Refuse func(stage string) error

	mu    sync.Mutex
	flows []*storedFlow
}

type storedFlow struct {
	flow, stage string
	state       json.RawMessage
	version     int64
	finished    bool
}

var _ staged.Stages = (*Stages)(nil)

// Open stores a new flow. The first handle is s_0, the second s_1.
func (s *Stages) Open(_ context.Context, flow, stage string, state json.RawMessage) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flows = append(s.flows, &storedFlow{flow, stage, state, 1, false})
	return handleOf(len(s.flows) - 1), nil
}

// Get returns NOT_FOUND for a handle that Open has not returned.
func (s *Stages) Get(_ context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(handle)
	if err != nil {
		return "", "", nil, 0, err
	}
	return k.flow, k.stage, k.state, k.version, nil
}

// Save returns CONFLICT if version is not the latest, or if the flow has ended.
func (s *Stages) Save(_ context.Context, handle, stage string, state json.RawMessage, version int64, last bool) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := s.find(handle)
	if err != nil {
		return 0, err
	}
	if s.Refuse != nil {
		if err := s.Refuse(stage); err != nil {
			return 0, err
		}
	}
	if k.version != version || k.finished {
		return 0, metadata.Errorf(metadata.Conflict, "%s is at version %d", handle, k.version).WithHint("Repeat the call.")
	}
	*k = storedFlow{k.flow, stage, state, version + 1, last}
	return k.version, nil
}

// Pending returns the handles of unfinished flows, the most recently opened first.
func (s *Stages) Pending(_ context.Context, flow string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := []string{}
	for i, k := range slices.Backward(s.flows) {
		if k.flow == flow && !k.finished {
			pending = append(pending, handleOf(i))
		}
	}
	return pending, nil
}

func handleOf(i int) string { return fmt.Sprintf("s_%d", i) }

func (s *Stages) find(handle string) (*storedFlow, error) {
	for i, k := range s.flows {
		if handle == handleOf(i) {
			return k, nil
		}
	}
	return nil, metadata.Errorf(metadata.NotFound, "there is no %s", handle).WithHint("Take the handle of an earlier answer.")
}
