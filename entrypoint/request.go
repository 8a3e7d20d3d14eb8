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
	Effect    metadata.Effect  // Destroys, Sends, or Writes if the call removes mail
	Args      json.RawMessage  // canonical, after repair, with defaults filled in
	Outgoing  bundles.Outgoing // what would be sent; zero if something would be destroyed or removed
	Deletion  bundles.Deletion // what would be destroyed or removed; zero if something would be sent
	Reason    string           // why KOTA asks although bundles.yaml allows the call; "" if bundles.yaml says ask
	Refusals  []Refusal        // what the user refused before in this conversation
	Trustable []string         // addresses that the user may trust for the rest of the conversation; nil: KOTA does not offer that
}

// Request returns the Request for this call with its Action, Effect and Args. The Args
// are canonical: members sorted by name, without white space.
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

// An ApprovalByID is the approval of a pending call that the user named by its id. Only
// what the user saw may happen, even if the gates allow more now.
type ApprovalByID struct {
	Command string                      // the command: "approve a_k3v9q2m7xw"
	Digest  string                      // digest of the Request that the user saw under the id
	Consume func(context.Context) error // uses up the approval and counts it against the limits; fails from the second time on

	// OnChange is called if the call would now do something else. It gets the changed
	// request and the id under which the changed call waits.
	OnChange func(changed Request, id string)
}
