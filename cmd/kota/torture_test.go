package main

import (
	"fmt"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/store/faulttest"
)

// kind is a kind of write: another process finds what is acknowledged. A new
// kind joins every torture by its line in kinds.
type kind struct {
	name string
	// before is a call that write needs first, or nil.
	before func(id string) (tool string, args object)
	// write is a call that stores something with id in it. It can be repeated.
	write func(id string) (tool string, args object)
	// read is the call that finds what write returned, and what its answer then
	// contains.
	read func(id string, acked object) (tool string, args object, has string)
}

var kinds = []kind{
	{"memory", nil, memoryCall, func(id string, _ object) (string, object, string) {
		return "memory_get", object{"query": id}, "the value of " + id
	}},
	{"secret", nil, func(id string) (string, object) {
		return "memory_set", object{"key": id, "value": "the secret of " + id, "secret": true}
	}, func(id string, _ object) (string, object, string) {
		return "memory_get", object{"query": id}, "the secret of " + id
	}},
	{"deletion", func(id string) (string, object) { return memoryCall("removed " + id) }, func(id string) (string, object) {
		return "memory_delete", object{"key": "removed " + id}
	}, func(id string, acked object) (string, object, string) {
		return "memory_restore", object{"undo_id": acked["undo_id"]}, "removed " + id
	}},
	{"entry", nil, func(id string) (string, object) {
		return "daily_log", object{"text": "did " + id, "idempotency_key": id}
	}, func(id string, acked object) (string, object, string) {
		return "daily_get", object{"id": firstOf(acked["ids"])}, "did " + id
	}},
	{"task", nil, func(id string) (string, object) {
		return "daily_task", object{"op": "add", "text": []string{"do " + id}, "idempotency_key": id}
	}, func(id string, acked object) (string, object, string) {
		return "daily_task", object{"ids": []any{firstOf(acked["tasks"]).(object)["id"]}}, "do " + id
	}},
	{"document", nil, func(id string) (string, object) {
		return "daily_review", object{"type": "decision_record", "title": id, "answers": object{"context": "why " + id, "decision": "that " + id}}
	}, func(id string, acked object) (string, object, string) {
		return "daily_get", object{"id": acked["id"]}, "that " + id
	}},
	{"stage", nil, func(id string) (string, object) {
		return "daily_plan", object{"type": "meeting_notes", "title": id}
	}, func(id string, acked object) (string, object, string) {
		return "daily_plan", object{"handle": acked["handle"]}, id
	}},
	{"undo", nil, func(id string) (string, object) {
		return "gmail_manage_label", object{"operation": "create", "name": id}
	}, func(id string, acked object) (string, object, string) {
		return "gmail_undo", object{"undo_id": acked["undo_id"]}, id
	}},
	{"approval", nil, invitationCall, func(id string, acked object) (string, object, string) {
		tool, args := invitationCall(id) // stays pending under the same id
		return tool, args, acked["approval_id"].(string)
	}},
	{"outbox", nil, mailCall, func(id string, acked object) (string, object, string) {
		tool, args := mailCall(id)
		return tool, args, acked["message_id"].(string)
	}},
}

func memoryCall(id string) (string, object) {
	return "memory_set", object{"key": id, "value": "the value of " + id}
}

// invitationCall returns a call that only the user can approve. No test approves it.
func invitationCall(id string) (string, object) {
	return "calendar_create_event", object{"title": id, "start": someday + "T10:00", "attendees": []string{bob}, "notify": "all", "idempotency_key": id}
}

func mailCall(id string) (string, object) {
	return "gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": id, "body": "About " + id + ".", "idempotency_key": id}
}

func firstOf(list any) any { return list.([]any)[0] }

// lines returns the calls of a write. Their id on the wire is the id in it.
func (k kind) lines(id string) string {
	if k.before == nil {
		return k.line(id)
	}
	tool, args := k.before(id)
	return toolCall(beforePrefix+id, tool, args) + k.line(id)
}

// line returns only the call of the write.
func (k kind) line(id string) string {
	tool, args := k.write(id)
	return toolCall(id, tool, args)
}

// beforePrefix begins the id on the wire of a call that another needs.
const beforePrefix = "before "

// id returns the id of the n-th write of a life.
func (k kind) id(life, n int) string { return fmt.Sprintf("%s-%d-%d", k.name, life, n) }

// kindOf returns the kind of an id.
func kindOf(t testing.TB, id string) kind {
	t.Helper()
	name, _, _ := strings.Cut(id, "-")
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	t.Fatalf("%q is an id of no kind", id)
	return kind{}
}

// newHomeForWrites returns a home in which every kind of write is possible.
func newHomeForWrites(t *testing.T) *testHome {
	t.Helper()
	return newTestHome(t).permitEverything()
}

// permitEverything signs Ann in, and permits everything.
func (d *testHome) permitEverything() *testHome {
	d.t.Helper()
	d.bundles = "gmail: on, calendar: {enabled: true, send: ask}, daily: on"
	d.configure("send: allow\ndestroy: allow\nlimits: {sends_per_hour: off, sends_per_day: off, destroys_per_hour: off, changes_per_hour: off}\n")
	d.storeClient()
	if _, _, stderr, status := d.signIn(bundletest.GoogleConsent{User: ann}); status != 0 {
		d.t.Fatal(stderr)
	}
	return d
}

// sampleSize returns how much of something a test does: all in full torture runs.
func sampleSize(few, all int) int {
	if faulttest.FullTorture() {
		return all
	}
	return few
}
