package routertest

import (
	"context"

	"kota/bundles"
	"kota/metadata"
)

// A Mailbox is a bundle on a remote account. Its actions wait until Release is closed, even if
// their caller is gone.
type Mailbox struct{ Release chan struct{} }

// Bundle returns a bundle with a read and a write.
func (m *Mailbox) Bundle() bundles.Bundle {
	wait := func(context.Context, ListIn) (NotesOut, error) {
		<-m.Release
		return NotesOut{}, nil
	}
	about := func(name string, effect metadata.Effect) metadata.Action {
		return metadata.Action{Name: name, Effect: effect, Summary: "Wait for the post.", Scopes: []string{"post"}}
	}
	return bundles.New(metadata.Bundle{Key: "post", Name: "Post", Description: "Letters far away", Category: metadata.Core, Tags: []string{"letters"}, Enabled: true},
		bundles.Bind(about("read", metadata.Reads), wait), bundles.Bind(about("file", metadata.Writes), wait))
}
