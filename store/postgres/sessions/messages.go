package sessions

import (
	"context"
	"fmt"
	"time"

	"kota/store/engine"
)

// messageKept is how long a message is kept at least. A replica that waits for one reads it within
// seconds, also after it has lost its connection to the database. A message may have what the user
// answered, so Begin and Send remove old ones, and each replica removes those of its own people.
const messageKept = time.Minute

// A Message is a message of a client for a call that may run on another replica.
type Message struct {
	Number  int64 // increases with each message of the person
	Session string
	Body    []byte
}

// Send stores a message for the replicas that have calls of the session.
func (s *Store) Send(ctx context.Context, session string, body []byte) error {
	err := s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		if err := s.removeMessages(t); err != nil {
			return err
		}
		_, err := t.Insert("session_messages", "INSERT INTO session_messages (id, owner, session, body, at) VALUES (?, ?, ?, ?, ?)", s.owner, session, body, engine.Millis(now))
		return err
	})
	if err != nil {
		return fmt.Errorf("send a message: %w", err)
	}
	return nil
}

// removeMessages removes old messages.
func (s *Store) removeMessages(t engine.Tx) error {
	return t.Exec("DELETE FROM session_messages WHERE owner = ? AND at <= ?", s.owner, engine.Millis(t.Now().Add(-messageKept)))
}

// Messages returns the messages for these sessions with a number after this one, in their order.
func (s *Store) Messages(ctx context.Context, sessions []string, after int64) ([]Message, error) {
	rows, err := s.db.Read(ctx).QueryFixed("SELECT id, session, body FROM session_messages WHERE owner = ? AND id > ? AND session = ANY (?) ORDER BY id",
		s.owner, after, engine.List[string](sessions))
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	defer rows.Close()
	found := []Message(nil)
	for rows.Next() {
		m := Message{}
		if err := rows.Scan(&m.Number, &m.Session, &m.Body); err != nil {
			return nil, fmt.Errorf("read messages: %w", err)
		}
		found = append(found, m)
	}
	return found, rows.Err()
}
