package entrypoint

import (
	"context"
	"encoding/json"
	"strings"
)

// Share makes the session call refresh before a decision that depends on what other replicas of the
// server have done. The function refresh calls Change and InheritTaint. Call Share before the first
// call of the session.
func (s *Session) Share(refresh func(context.Context) error) { s.refresh = refresh }

// Refresh takes over what other replicas know about the session.
func (s *Session) Refresh(ctx context.Context) error {
	if s.refresh == nil {
		return nil
	}
	return s.refresh(ctx)
}

// The keys of Entries, or their beginnings.
const (
	programEntry = "program"
	trustEntry   = "trusts "
	refusalEntry = "refusal "
)

// Entries returns what other replicas need to know about the session, except its taint.
func (s *Session) Entries() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := map[string]string{}
	if s.readByProgram.Load() {
		entries[programEntry] = ""
	}
	for address := range s.trusted {
		entries[trustEntry+address] = ""
	}
	for _, r := range s.refusals {
		text, _ := json.Marshal(r) // it cannot fail
		entries[refusalEntry+string(text)] = ""
	}
	return entries
}

// Change adds what another replica has changed in the Entries. A nil value removes the entry.
func (s *Session) Change(change map[string]*string) {
	for key, value := range change {
		if address, ok := strings.CutPrefix(key, trustEntry); ok && value != nil {
			s.Trust([]string{address})
		}
		if key == programEntry {
			s.readByProgram.Store(true)
		}
		if text, ok := strings.CutPrefix(key, refusalEntry); ok {
			s.changeRefusal(text, value != nil)
		}
	}
}

// changeRefusal adds or removes a refusal that another replica has noted or forgotten.
func (s *Session) changeRefusal(text string, noted bool) {
	changed := Refusal{}
	if json.Unmarshal([]byte(text), &changed) != nil {
		return
	}
	if noted {
		s.NoteRefusal(changed)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left := []Refusal(nil)
	for _, r := range s.refusals {
		if r.Tool != changed.Tool || !r.At.Equal(changed.At) {
			left = append(left, r)
		}
	}
	s.refusals = left
}
