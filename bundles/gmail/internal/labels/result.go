package labels

import (
	"fmt"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// A relabelling is the result of a change of labels.
type labelResult struct {
	failed map[string]error    // errors by id; the other messages were changed
	labels map[string][]string // labels of each message: as known before, updated after each step
}

// record records what a request did to the messages, or may have done.
func (r *labelResult) record(ids, add, remove []string, err error) {
	for _, id := range ids {
		if err != nil {
			r.failed[id] = fmt.Errorf("change labels: %w", err)
		}
		if err == nil || metadata.CodeOf(err) == metadata.OutcomeUnknown {
			r.labels[id] = applyLabels(r.labels[id], add, remove)
		}
	}
}

// applyLabels returns the labels after adding and removing some.
func applyLabels(labels, add, remove []string) []string {
	return append(difference(labels, remove), difference(add, labels)...)
}

// changed returns the messages that were certainly changed.
func (r *labelResult) changed(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.failed[id] != nil })
}

// hasUnknown reports whether the outcome of some message is unknown.
func (r *labelResult) hasUnknown() bool {
	for _, err := range r.failed {
		if metadata.CodeOf(err) == metadata.OutcomeUnknown {
			return true
		}
	}
	return false
}

// firstError returns the first of the messages' errors, or nil.
func (r *labelResult) firstError(ids []string) error {
	for _, id := range ids {
		if err := r.failed[id]; err != nil {
			return err
		}
	}
	return nil
}

// failures returns the errors, with all messages that have the same error grouped.
func (r *labelResult) failures(ids []string) []mailbox.Failure {
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
