package labels

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	gmailapi "google.golang.org/api/gmail/v1"

	"kota/bundles/gmail/internal/mailbox"
	"kota/bundles/internal/google"
	"kota/bundles/internal/panicsafe"
	"kota/metadata"
)

const (
	maxBatch    = 1000             // the maximum number of ids in one batchModify
	maxVerified = 100              // the maximum number of messages whose labels are read again to find out the outcome
	verifyTime  = 20 * time.Second // the time limit for these reads, also after the call was cancelled
)

// relabel adds labels to messages and removes labels from them. before maps message ids to
// the known labels. Gmail does not move messages into or out of the trash by label, so
// relabel makes one request per message for that. If Google did not say whether a change
// happened, relabel reads the labels again. If it cannot, the result has the requested
// labels together with the error.
func relabel(ctx context.Context, m *mailbox.Mailbox, ids []string, before map[string][]string, add, remove []string) labelResult {
	r := labelResult{failed: map[string]error{}, labels: map[string][]string{}}
	for _, id := range ids {
		r.labels[id] = before[id]
	}
	trash := []string{mailbox.Trash}
	if slices.Contains(remove, mailbox.Trash) {
		changeEach(m, &r, ids, nil, trash, func(id string) (*gmailapi.Message, error) {
			return m.API.Users.Messages.Untrash(mailbox.Me, id).Context(ctx).Do()
		})
	}
	batchModify(ctx, m, &r, ids, difference(add, trash), difference(remove, trash))
	if slices.Contains(add, mailbox.Trash) {
		changeEach(m, &r, ids, trash, nil, func(id string) (*gmailapi.Message, error) {
			return m.API.Users.Messages.Trash(mailbox.Me, id).Context(ctx).Do()
		})
	}
	verifyLabels(ctx, m, &r, ids, add, remove)
	return r
}

// changeEach calls change for each message that has not failed, and records the added and
// removed labels.
func changeEach(m *mailbox.Mailbox, r *labelResult, ids, add, remove []string, change func(id string) (*gmailapi.Message, error)) {
	var mu sync.Mutex
	group := panicsafe.New(maxConcurrent)
	for _, id := range r.changed(ids) {
		group.Go(func() error {
			var message *gmailapi.Message
			err := panicsafe.Do(func() (err error) {
				message, err = change(id)
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			r.record([]string{id}, add, remove, err)
			if err == nil && len(message.LabelIds) > 0 {
				r.labels[id] = message.LabelIds
			}
			return nil
		})
	}
	_ = group.Wait() // the errors are recorded in r
}

// batchModify adds labels to all messages that have not failed, and removes labels from
// them.
func batchModify(ctx context.Context, m *mailbox.Mailbox, r *labelResult, ids, add, remove []string) {
	if len(add)+len(remove) == 0 {
		return
	}
	for chunk := range slices.Chunk(r.changed(ids), maxBatch) {
		err := modifyChunk(ctx, m, chunk, add, remove)
		if metadata.CodeOf(err) == metadata.NotFound {
			chunk, err = retryWithoutMissing(ctx, m, r, chunk, add, remove, err)
		}
		r.record(chunk, add, remove, err)
	}
}

// retryWithoutMissing repeats a change that Gmail refused because messages are missing. It
// omits these messages, and returns the ids of the others and the error of the repeated
// change. If it cannot find out which messages are missing, it returns all ids and the
// error refused. It does not try that for more than maxVerified messages.
func retryWithoutMissing(ctx context.Context, m *mailbox.Mailbox, r *labelResult, ids, add, remove []string, refused error) ([]string, error) {
	if len(ids) > maxVerified {
		return ids, refused
	}
	existing, err := currentLabels(ctx, m, ids)
	if err != nil {
		return ids, refused
	}
	missing := difference(ids, slices.Collect(maps.Keys(existing)))
	r.record(missing, nil, nil, refused)
	rest := difference(ids, missing)
	if len(rest) == 0 || len(missing) == 0 {
		return rest, refused
	}
	return rest, modifyChunk(ctx, m, rest, add, remove)
}

func modifyChunk(ctx context.Context, m *mailbox.Mailbox, ids, add, remove []string) error {
	return m.API.Users.Messages.BatchModify(mailbox.Me, &gmailapi.BatchModifyMessagesRequest{Ids: ids, AddLabelIds: add, RemoveLabelIds: remove}).Context(ctx).Do()
}

// verifyLabels reads the labels of the messages whose outcome is unknown, and records in r
// whether the change happened. If there are more than maxVerified such messages, it reads
// none, and all outcomes stay unknown.
func verifyLabels(ctx context.Context, m *mailbox.Mailbox, r *labelResult, ids, add, remove []string) {
	var unknown []string
	for _, id := range ids {
		if metadata.CodeOf(r.failed[id]) == metadata.OutcomeUnknown {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 || len(unknown) > maxVerified {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verifyTime)
	defer cancel()
	current, err := currentLabels(ctx, m, unknown)
	if err != nil {
		return // the outcome stays unknown
	}
	for _, id := range unknown {
		labels, exists := current[id]
		switch {
		case !exists:
			r.failed[id] = metadata.Errorf(metadata.NotFound, "the message no longer exists")
		case len(difference(add, labels)) == 0 && len(difference(remove, labels)) == len(remove):
			delete(r.failed, id)
			r.labels[id] = labels
		default:
			r.failed[id] = &metadata.Error{
				Code: metadata.Unavailable, Message: "Gmail did not do this", Retryable: true, Cause: r.failed[id], Hint: "Repeat the call.",
			}
			r.labels[id] = labels
		}
	}
}

// currentLabels returns the current labels by message id. It omits messages that do not
// exist.
func currentLabels(ctx context.Context, m *mailbox.Mailbox, ids []string) (map[string][]string, error) {
	query := url.Values{"format": {"minimal"}, "fields": {"id,labelIds"}}.Encode()
	paths := make([]string, len(ids))
	for i, id := range ids {
		paths[i] = "/gmail/v1/users/me/messages/" + url.PathEscape(id) + "?" + query
	}
	answers, err := google.Batch(ctx, m.Client, google.GmailBatch(m.Endpoint()), paths)
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	labels := map[string][]string{}
	for i, a := range answers {
		if metadata.CodeOf(a.Err) == metadata.NotFound {
			continue
		}
		message := gmailapi.Message{}
		if a.Err == nil {
			a.Err = json.Unmarshal(a.Body, &message)
		}
		if a.Err != nil {
			return nil, fmt.Errorf("read labels: %w", a.Err)
		}
		labels[ids[i]] = message.LabelIds
	}
	return labels, nil
}
