package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/metadata"
)

// A Request is what the user is asked to approve before it happens.
type Request struct {
	Action    metadata.Action
	Effect    metadata.Effect  // of this call: Destroys or Sends, or Writes if it removes mail
	Args      json.RawMessage  // canonical, as they were understood, with defaults filled in
	Outgoing  bundles.Outgoing // what would be sent; zero if something would be destroyed
	Deletion  bundles.Deletion // what would be destroyed or removed; zero if something would be sent
	Reason    string           // why the user is asked although bundles.yaml allows the call; "" if it says ask
	Refusals  []Refusal        // what the user refused before in this conversation
	Trustable []string         // addresses that the user may trust for the rest of the conversation; nil if that is not offered
}

// Request returns what the user is asked to approve for a call with that effect. Its
// arguments are canonical: members sorted by name, without white space.
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

// An ApprovalByID is a pending call that now runs because the user named its id. Only
// what was shown to the user may happen, even if the gates allow more now.
type ApprovalByID struct {
	Command string                      // the command: "approve a_k3v9q2m7xw"
	Digest  string                      // of what was shown under the id
	Consume func(context.Context) error // consumes the approval and counts it against the limits; returns an error from the second use on

	// OnChange is called if the call would now do something else. It gets that request
	// and the id under which it waits.
	OnChange func(now Request, id string)
}
