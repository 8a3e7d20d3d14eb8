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
	Effect   metadata.Effect  // of this very call: Destroys or Sends
	Args     json.RawMessage  // as they were understood, with the defaults of what was left out; canonical
	Outgoing bundles.Outgoing // what would leave; zero for a call that destroys
	Because  string           // why the user is asked although bundles.yaml allows it; "" where it says ask
}

// canonical returns the arguments as one text for all their spellings: members
// sorted by name, without white space.
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

// ask asks the user, and returns nil when the call may go on. The time that the
// answer takes is not the call's.
func (r *Router) ask(ctx context.Context, asked Request) error {
	args, err := canonical(asked.Args)
	if err != nil {
		return err
	}
	asked.Args = args
	leavePlace(ctx)
	defer unhurried(ctx)()
	if err := r.approve(ctx, asked); err != nil {
		return err
	}
	Trust(ctx)
	return nil
}
