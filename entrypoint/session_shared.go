package entrypoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Replicas is the state of a session that all replicas of the server share.
type Replicas interface {
	// Refresh takes over what other replicas know about the session. It calls Change and InheritTaint.
	Refresh(context.Context) error
	// CountRemoved adds n to the removed items of the session and reports true. If the sum would
	// exceed the limit, it adds nothing and reports false.
	CountRemoved(ctx context.Context, n, limit int) (bool, error)
	// ForgetRemoved sets the removed items to zero.
	ForgetRemoved(context.Context) error
}

// Share makes the session use replicas for decisions that depend on what other replicas of the server
// have done. All replicas give it the same id, and then its Name is the same. Call Share before the
// first call of the session.
func (s *Session) Share(id string, replicas Replicas) {
	digest := sha256.Sum256([]byte(id)) // other tables store the Name, and the id admits to the session
	s.Name, s.replicas = hex.EncodeToString(digest[:16]), replicas
}

// Refresh takes over what other replicas know about the session.
func (s *Session) Refresh(ctx context.Context) error {
	if s.replicas == nil {
		return nil
	}
	return s.replicas.Refresh(ctx)
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
