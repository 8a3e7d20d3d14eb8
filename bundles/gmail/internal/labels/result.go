package labels

import (
	"fmt"
	"slices"

	"kota/bundles/gmail/internal/mailbox"
	"kota/metadata"
)

// A labelResult is the result of a change of messages' labels.
type labelResult struct {
	failed map[string]error    // message id → error; the other messages were changed
	labels map[string][]string // message id → labels: as known before, updated after each step
}

// record records the outcome of a request for these messages. If the outcome is unknown, it
// assumes that the labels changed.
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

// applyLabels returns labels with the labels in add and without those in remove.
func applyLabels(labels, add, remove []string) []string {
	return append(difference(labels, remove), difference(add, labels)...)
}

// changed returns the ids of the messages that have not failed.
func (r *labelResult) changed(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.failed[id] != nil })
}

// hasUnknown reports whether the outcome is unknown for some message.
func (r *labelResult) hasUnknown() bool {
	for _, err := range r.failed {
		if metadata.CodeOf(err) == metadata.OutcomeUnknown {
			return true
		}
	}
	return false
}

// firstError returns the error of the first message that has one, or nil.
func (r *labelResult) firstError(ids []string) error {
	for _, id := range ids {
		if err := r.failed[id]; err != nil {
			return err
		}
	}
	return nil
}

// failures returns the errors of the messages. Each Failure has all messages with the same
// error.
func (r *labelResult) failures(ids []string) []mailbox.Failure {
	var failures []mailbox.Failure
	for _, id := range ids {
		err := r.failed[id]
		if err == nil {
			continue
		}
		f := mailbox.Failure{Code: metadata.CodeOf(err), Message: mailbox.PublicMessage(err)}
		i := slices.IndexFunc(failures, func(other mailbox.Failure) bool { return other.Code == f.Code && other.Message == f.Message })
		if i < 0 {
			i, failures = len(failures), append(failures, f)
		}
		failures[i].IDs = append(failures[i].IDs, id)
	}
	return failures
}
