package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A Request is what the user is asked to agree to before it happens.
type Request struct {
	Action   metadata.Action
	Effect   metadata.Effect  // of this very call: Destroys or Sends, or Writes of one that removes mail
	Args     json.RawMessage  // as they were understood, with the defaults of what was left out; canonical
	Outgoing bundles.Outgoing // what would leave; zero where something would be destroyed
	Doomed   bundles.Deletion // what would be destroyed or removed; zero where something would leave
	Because  string           // why the user is asked although bundles.yaml allows it; "" where it says ask
	Refused  []Refusal        // what the user refused in the conversation before
	MayTrust []string         // addresses that the user may agree to for the rest of the conversation; nil where that is not offered
}

// Request returns what the user is asked about the call, which has that effect. Its
// arguments are one text for all their spellings: members sorted by name, without
// white space.
func (c *Call) Request(effect metadata.Effect) (Request, error) {
	args, err := canonical(c.Prepared.Args)
	return Request{Action: c.Action.Action, Effect: effect, Args: args}, err
}

func canonical(args json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return json.RawMessage("{}"), nil
	}
	decoder := json.NewDecoder(bytes.NewReader(args))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("read arguments: %w", err)
	}
	return metadata.Plain(value)
}

// An ApprovalByID is a call that waited and is carried out because the user has
// named its id. Whatever the gates allow by now, nothing but what was shown happens.
type ApprovalByID struct {
	How    string                      // that it was: "approve a_k3v9q2m7xw"
	Digest string                      // of what was shown under the id
	Spend  func(context.Context) error // makes use of the consent and counts it by the limits; an error to all but the first

	// Changed is told what the call would do by now, when that is something else,
	// and the id under which that waits.
	Changed func(now Request, id string)
}
