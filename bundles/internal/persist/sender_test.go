package persist_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"kota/bundles/internal/persist"
	"kota/metadata"
	"kota/store"
	"kota/store/enginetest"
	"kota/store/tables/outbox"
)

// newSender returns a Post over an empty outbox.
func newSender(t *testing.T) persist.Sender {
	t.Helper()
	db := enginetest.Open(t, nil)
	return persist.Sender{
		Box: outbox.New(db, "ann", "mail"), Since: time.Now().Add(-time.Hour), Lease: time.Minute, WaitForOther: 20 * time.Millisecond, Poll: time.Millisecond,
		Busy:   func(store.OutboxItem) error { return errors.New("somebody is at it") },
		Reason: func(err error) string { return err.Error() },
	}
}

func lunchItem() *store.OutboxItem {
	return &store.OutboxItem{Account: "ann@example.com", Kind: "invite", Digest: "lunch", Summary: []byte("{}"), Raw: []byte("lunch")}
}

func confirmAll(context.Context, store.OutboxItem) error { return nil }

// An approval to finish something that has begun does not permit beginning it
// again.
func TestClaimAsksAgainIfItemWasDroppedMeanwhile(t *testing.T) {
	p := newSender(t)
	begun, leased, err := p.Claim(t.Context(), lunchItem(), confirmAll)
	if err != nil || !leased {
		t.Fatal(leased, err)
	}
	if err := p.Deliver(t.Context(), &begun, func(context.Context) error { return metadata.Errorf(metadata.OutcomeUnknown, "no answer") }); err == nil {
		t.Fatal("no error")
	}
	asked := []store.OutboxStatus{}
	item, leased, err := p.Claim(t.Context(), lunchItem(), func(ctx context.Context, known store.OutboxItem) error {
		if asked = append(asked, known.Status); len(asked) > 1 {
			return nil
		}
		dropped, err := p.Box.Acquire(ctx, known.ID, time.Minute)
		if err != nil {
			return err
		}
		dropped.Status = store.OutboxCancelled
		return p.Box.Save(ctx, &dropped, 0)
	})
	if err != nil || !leased || !item.New || !slices.Equal(asked, []store.OutboxStatus{store.OutboxUnknown, ""}) {
		t.Errorf("asked about %q; then %+v, %v, %v", asked, item, leased, err)
	}
}

func TestRefusedItemIsNotStored(t *testing.T) {
	p := newSender(t)
	no := errors.New("no")
	if _, _, err := p.Claim(t.Context(), lunchItem(), func(context.Context, store.OutboxItem) error { return no }); !errors.Is(err, no) {
		t.Errorf("got %v", err)
	}
	if list, err := p.Box.List(t.Context(), 10); err != nil || len(list) != 0 {
		t.Errorf("kept %+v, %v", list, err)
	}
}

func TestItemIsHeldByOneCallAndDoneOnce(t *testing.T) {
	p := newSender(t)
	first, leased, err := p.Claim(t.Context(), lunchItem(), confirmAll)
	if err != nil || !leased {
		t.Fatal(leased, err)
	}
	if _, leased, err := p.Claim(t.Context(), lunchItem(), confirmAll); leased || err == nil || err.Error() != "somebody is at it" {
		t.Errorf("a second call: leased %v, %v", leased, err)
	}
	if err := p.Deliver(t.Context(), &first, func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	never := func(context.Context, store.OutboxItem) error { t.Error("asked about what is done"); return nil }
	if item, leased, err := p.Claim(t.Context(), lunchItem(), never); leased || err != nil || item.ID != first.ID || item.Status != store.OutboxSent {
		t.Errorf("afterwards %+v, %v, %v", item, leased, err)
	}
}

func TestDeliverRecordsOutcome(t *testing.T) {
	for code, stands := range map[metadata.Code]store.OutboxStatus{
		metadata.OutcomeUnknown: store.OutboxUnknown, metadata.Internal: store.OutboxUnknown,
		metadata.Unavailable: store.OutboxFailed, metadata.RateLimited: store.OutboxFailed,
		metadata.Conflict: "", metadata.Refused: "", metadata.NotFound: "", metadata.ValidationError: "",
	} {
		p := newSender(t)
		item, _, err := p.Claim(t.Context(), lunchItem(), confirmAll)
		if err != nil {
			t.Fatal(err)
		}
		during := store.OutboxStatus("")
		err = p.Deliver(t.Context(), &item, func(ctx context.Context) error {
			now, _ := p.Box.Get(ctx, item.ID)
			during = now.Status
			return metadata.Errorf(code, "no")
		})
		now, got := p.Box.Get(t.Context(), item.ID)
		if metadata.CodeOf(err) != code || during != store.OutboxSending || now.Status != stands || (stands == "") != errors.Is(got, store.ErrNotFound) {
			t.Errorf("%s: answers %v, stands as %q during it and %q after, %v", code, err, during, now.Status, got)
		}
	}
}
