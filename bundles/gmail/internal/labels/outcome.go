package labels

import (
	"fmt"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// A relabelling is what happened to messages whose labels were changed.
type relabelling struct {
	failed map[string]error    // by id; the others were changed
	labels map[string][]string // of each message, as far as they were known before, and after every step since
}

// note records what a request did to the messages, or may have done.
func (r *relabelling) note(ids, add, remove []string, err error) {
	for _, id := range ids {
		if err != nil {
			r.failed[id] = fmt.Errorf("change labels: %w", err)
		}
		if err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown {
			r.labels[id] = with(r.labels[id], add, remove)
		}
	}
}

// with returns the labels with some added and some removed.
func with(labels, add, remove []string) []string {
	return append(minus(labels, remove), minus(add, labels)...)
}

// changed returns those of the messages that certainly were changed.
func (r *relabelling) changed(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.failed[id] != nil })
}

// unknown reports whether some message may have been changed.
func (r *relabelling) unknown() bool {
	for _, err := range r.failed {
		if metadata.CodeOf(err) == metadata.OutcomeUnknown {
			return true
		}
	}
	return false
}

// first returns the first of the messages' errors, or nil.
func (r *relabelling) first(ids []string) error {
	for _, id := range ids {
		if err := r.failed[id]; err != nil {
			return err
		}
	}
	return nil
}

// failures returns what went wrong, the messages with the same error together.
func (r *relabelling) failures(ids []string) []mailbox.Failure {
	var failures []mailbox.Failure
	for _, id := range ids {
		err := r.failed[id]
		if err == nil {
			continue
		}
		f := mailbox.Failure{Code: metadata.CodeOf(err), Message: mailbox.PublicMessage(err)}
		i := slices.IndexFunc(failures, func(o mailbox.Failure) bool { return o.Code == f.Code && o.Message == f.Message })
		if i < 0 {
			i, failures = len(failures), append(failures, f)
		}
		failures[i].IDs = append(failures[i].IDs, id)
	}
	return failures
}
