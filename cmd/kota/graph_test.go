package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "kota"

// layers says which packages of the module each package may import: imports run
// one way. The first line that matches a package applies; a package without a
// line is an error. A * stands for one path element, a final ... for any
// number.
var layers = []layer{
	{"metadata", []string{"metadata/words"}},
	{"metadata/words", nil},
	{"metadata/classifier", []string{"metadata/words"}},
	{"metadata/classifier/train", []string{"metadata/classifier"}},
	{"metadata/wordvectors", nil},
	{"metadata/wordvectors/make", []string{"metadata/words", "metadata/wordvectors"}},
	{"metadata/search", []string{"metadata", "metadata/words", "metadata/classifier", "metadata/wordvectors"}},
	{"metadata/docs", []string{"metadata"}},
	{"store", []string{"store/semantic"}},
	{"store/search", []string{"store", "metadata/words", "metadata/wordvectors"}},
	{"store/engine", []string{"store"}},
	{"store/sqlite", []string{"store", "store/engine", "store/semantic"}}, // the last for tests
	{"store/lease", nil},
	{"store/sqlite/sqlitetest", []string{"store/sqlite"}},
	{"store/sqlite/restore", []string{"store", "store/sqlite", "store/tables/audit"}}, // it copies the log
	{"store/tables/outbox", []string{"store", "store/engine", "store/lease"}},
	{"store/tables/undo", []string{"store", "store/engine", "store/lease"}},
	{"store/tables/index", []string{"store", "store/engine", "store/search"}},
	{"store/tables/memory", []string{"store", "store/engine", "store/search", "store/semantic", "store/tables/changes", "store/tables/index"}},
	{"store/tables/diary", []string{"store", "store/engine", "store/search", "store/tables/changes", "store/tables/index"}},
	{"store/tables/*", []string{"store", "store/engine"}},
	{"store/postgres", []string{"store", "store/engine", "store/postgres/convert", "store/postgres/failure", "store/postgres/schema", "store/search", "store/semantic"}}, // search and semantic for tests
	{"store/postgres/failure", []string{"store"}},
	{"store/postgres/schema", []string{"store", "store/postgres/failure"}},
	{"store/postgres/convert", []string{"store/engine"}},
	{"store/postgres/pgtest", nil},
	{"store/move", []string{"store", "store/engine", "store/postgres", "store/postgres/convert", "store/postgres/failure", "store/sqlite", "store/semantic", "store/tables/*"}}, // the last two for tests
	{"store/postgres/sessions", []string{"store", "store/engine", "store/postgres", "store/postgres/pgtest"}},                                                                   // the last two for tests
	{"store/semantic", nil},
	{"store/semantic/semantictest", nil},
	{"store/semantic/static", []string{"store/semantic"}},
	{"auth", []string{"auth/vault"}},
	{"auth/vault", nil},
	{"auth/vault/vaulttest", []string{"auth/vault"}},
	{"auth/issuer", nil},
	{"store/storetest", []string{"store", "store/semantic"}},
	{"store/storetest/memorytest", []string{"store", "store/faulttest", "store/semantic", "store/semantic/semantictest", "store/storetest"}},
	{"store/storetest/walltest", []string{"store", "store/semantic", "store/storetest"}},
	{"store/storetest/*", []string{"store", "store/storetest"}},
	{"store/faulttest", nil},
	{"store/enginetest", []string{"store", "store/engine", "store/postgres", "store/postgres/pgtest", "store/sqlite", "store/sqlite/sqlitetest"}},
	{"bundles", []string{"metadata", "bundles/internal/htmltext"}},
	{"bundles/staged", []string{"bundles", "metadata"}},
	{"bundles/bundletest", []string{"bundles", "bundles/staged", "metadata", "bundles/internal/google/googletest", "bundles/internal/google/googletest/fakeapi", "bundles/internal/google/googletest/fakecalendar", "bundles/internal/google/googletest/fakegmail"}},
	{"bundles/internal/persist", []string{"bundles", "metadata", "store", "bundles/internal/..."}},
	{"bundles/internal/google", []string{"bundles", "metadata", "bundles/internal/..."}},
	{"bundles/internal/google/googletest", []string{"bundles/internal/google/googletest/fakeapi", "bundles/internal/google/googletest/fakecalendar", "bundles/internal/google/googletest/fakegmail", "bundles/internal/google/googletest/fakepeople"}},
	{"bundles/internal/google/googletest/fakeapi", nil},
	{"bundles/internal/google/googletest/fakegmail", []string{"bundles/internal/google/googletest/fakeapi"}},
	{"bundles/internal/google/googletest/fakecalendar", []string{"bundles/internal/google/googletest/fakeapi", "bundles/internal/google/googletest/rrule"}},
	{"bundles/internal/google/googletest/fakepeople", []string{"bundles/internal/google/googletest/fakeapi"}},
	{"bundles/internal/google/googletest/rrule", nil},
	{"bundles/internal/untrusted", []string{"bundles", "bundles/internal/..."}},
	{"bundles/internal/recipients", []string{"bundles", "metadata", "metadata/words", "bundles/internal/..."}},
	{"bundles/internal/timeparse", []string{"metadata", "metadata/words", "bundles/internal/..."}},
	{"bundles/internal/...", []string{"metadata", "bundles/internal/..."}},
	{"bundles/calendar/internal/quickadd", []string{"metadata", "bundles/internal/arguments", "bundles/internal/lazyregexp", "bundles/internal/timeparse"}},
	{"bundles/calendar/internal/eventtime", []string{"metadata", "bundles/internal/arguments", "bundles/internal/recurrence", "bundles/internal/timeparse"}},
	{"bundles/calendar/internal/event", []string{"metadata", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/mailmsg", "bundles/internal/timeparse", "bundles/calendar/internal/eventtime"}},
	{"bundles/calendar/internal/eventtext", []string{
		"bundles", "metadata", "bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/timeparse", "bundles/internal/untrusted",
		"bundles/calendar/internal/event", "bundles/calendar/internal/eventtime",
	}},
	{"bundles/calendar/internal/eventwrite", []string{
		"bundles", "metadata", "store", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/panicsafe",
		"bundles/internal/persist", "bundles/internal/untrusted", "bundles/calendar/internal/event",
	}},
	{"bundles/calendar/internal/agenda", []string{
		"bundles", "metadata", "store", "bundles/internal/arguments", "bundles/internal/budget", "bundles/internal/google", "bundles/internal/htmltext",
		"bundles/internal/panicsafe", "bundles/internal/persist", "bundles/internal/timeparse", "bundles/internal/untrusted",
		"bundles/calendar/internal/event", "bundles/calendar/internal/eventtext", "bundles/calendar/internal/eventwrite",
	}},
	{"bundles/calendar/internal/series", []string{
		"metadata", "bundles/internal/arguments", "bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/persist", "bundles/internal/recurrence",
		"bundles/internal/timeparse", "bundles/calendar/internal/agenda", "bundles/calendar/internal/event", "bundles/calendar/internal/eventtext",
		"bundles/calendar/internal/eventtime", "bundles/calendar/internal/eventwrite",
	}},
	{"bundles/calendar/internal/availability", []string{
		"bundles", "metadata", "bundles/internal/arguments", "bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/mailmsg", "bundles/internal/panicsafe",
		"bundles/internal/recurrence", "bundles/internal/slots", "bundles/internal/timeparse", "bundles/internal/untrusted", "bundles/calendar/internal/agenda",
		"bundles/calendar/internal/event", "bundles/calendar/internal/eventtext", "bundles/calendar/internal/eventtime",
	}},
	{"bundles/calendar/internal/undoevent", []string{
		"bundles/calendar/internal/agenda", "bundles/calendar/internal/event", "bundles/calendar/internal/eventtext", "bundles/calendar/internal/eventwrite",
		"bundles/calendar/internal/series",
	}},
	{"bundles/calendar/internal/invitation", []string{
		"bundles", "metadata", "store", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/icalendar", "bundles/internal/persist",
		"bundles/internal/recurrence", "bundles/internal/timeparse", "bundles/internal/untrusted", "bundles/calendar/internal/agenda", "bundles/calendar/internal/event",
		"bundles/calendar/internal/eventtext", "bundles/calendar/internal/eventtime", "bundles/calendar/internal/eventwrite", "bundles/calendar/internal/undoevent",
		"bundles/calendar/internal/series",
	}},
	{"bundles/calendar/internal/change", []string{
		"bundles", "metadata", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/panicsafe", "bundles/internal/persist",
		"bundles/internal/recurrence", "bundles/internal/timeparse", "bundles/calendar/internal/agenda", "bundles/calendar/internal/availability",
		"bundles/calendar/internal/event", "bundles/calendar/internal/eventtext", "bundles/calendar/internal/eventtime", "bundles/calendar/internal/eventwrite",
		"bundles/calendar/internal/invitation", "bundles/calendar/internal/undoevent", "bundles/calendar/internal/series",
	}},
	{"bundles/calendar/internal/calendars", []string{
		"bundles", "metadata", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/persist", "bundles/internal/untrusted",
		"bundles/calendar/internal/agenda", "bundles/calendar/internal/eventtext", "bundles/calendar/internal/undoevent",
	}},
	{"bundles/calendar/internal/listing", []string{
		"bundles", "metadata", "bundles/internal/arguments", "bundles/internal/budget", "bundles/internal/google", "bundles/internal/panicsafe", "bundles/internal/timeparse",
		"bundles/internal/untrusted", "bundles/calendar/internal/agenda", "bundles/calendar/internal/event", "bundles/calendar/internal/eventtext",
		"bundles/calendar/internal/eventtime",
	}},
	{"bundles/contacts/internal/card", []string{"bundles/internal/htmltext", "bundles/internal/mailmsg"}},
	{"bundles/contacts/internal/match", []string{"bundles/contacts/internal/card", "metadata/words"}},
	{"bundles/contacts/internal/book", []string{"bundles", "bundles/contacts/internal/card", "bundles/contacts/internal/match", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/persist", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/contacts", []string{"bundles", "metadata", "store", "bundles/internal/...", "bundles/contacts/internal/..."}},
	{"bundles/calendar", []string{"bundles", "metadata", "store", "bundles/internal/...", "bundles/calendar/internal/..."}},
	{"bundles/gmail/internal/attachment", []string{"bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/present", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/mailmsg", "bundles/internal/panicsafe", "bundles/internal/untrusted", "metadata"}},
	{"bundles/gmail/internal/compose", []string{"bundles/gmail/internal/attachment", "bundles/gmail/internal/drafts", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/outgoing", "bundles/gmail/internal/present", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/markdown", "bundles/internal/panicsafe", "bundles/internal/untrusted", "metadata"}},
	{"bundles/gmail/internal/drafts", []string{"bundles", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/outgoing", "bundles/internal/arguments", "bundles/internal/mailmsg", "bundles/internal/persist", "metadata"}},
	{"bundles/gmail/internal/filters", []string{"bundles", "bundles/gmail/internal/labels", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/search", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/persist", "bundles/internal/untrusted", "metadata"}},
	{"bundles/gmail/internal/followups", []string{"bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/mailcache", "bundles/gmail/internal/present", "bundles/gmail/internal/search", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/panicsafe", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/gmail/internal/labels", []string{"bundles", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/mailcache", "bundles/gmail/internal/present", "bundles/gmail/internal/search", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/panicsafe", "bundles/internal/persist", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/gmail/internal/mailbody", []string{"bundles/internal/htmltext", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/markdown"}},
	{"bundles/gmail/internal/mailbox", []string{"bundles/internal/arguments", "bundles/internal/google", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/persist", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/gmail/internal/mailcache", []string{"bundles/gmail/internal/mailbox", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/panicsafe", "metadata", "store"}},
	{"bundles/gmail/internal/outgoing", []string{"bundles", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/markdown", "bundles/internal/panicsafe", "bundles/internal/persist", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/gmail/internal/present", []string{"bundles", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/mailmsg", "bundles/internal/untrusted", "store"}},
	{"bundles/gmail/internal/search", []string{"bundles/gmail/internal/mailbox", "bundles/internal/arguments", "bundles/internal/lazyregexp", "metadata"}},
	{"bundles/gmail/internal/unsubscribe", []string{"bundles", "bundles/gmail/internal/drafts", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/outgoing", "bundles/gmail/internal/present", "bundles/internal/arguments", "bundles/internal/google", "bundles/internal/htmltext", "bundles/internal/lazyregexp", "bundles/internal/mailmsg", "bundles/internal/persist", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/gmail/internal/vacation", []string{"bundles", "bundles/gmail/internal/mailbody", "bundles/gmail/internal/mailbox", "bundles/gmail/internal/outgoing", "bundles/internal/arguments", "bundles/internal/htmltext", "bundles/internal/mailmsg", "bundles/internal/markdown", "bundles/internal/persist", "metadata"}},
	{"bundles/gmail/internal/mailboxtest", []string{"bundles/gmail/internal/mailbox", "bundles/internal/persist", "store/engine", "store/enginetest", "store/tables/*"}},
	{"bundles/gmail", []string{"bundles", "metadata", "store", "bundles/internal/...", "bundles/gmail/internal/..."}},
	{"bundles/daily/sources", []string{"bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/panicsafe", "metadata"}},
	{"bundles/daily/export", []string{"bundles/daily/internal/days", "bundles/daily/internal/rows", "bundles/internal/htmltext", "metadata", "store"}},
	{"bundles/daily/internal/briefing", []string{"bundles", "bundles/daily/internal/days", "bundles/daily/internal/document", "bundles/daily/internal/rows", "bundles/daily/sources", "bundles/internal/budget", "bundles/internal/htmltext", "bundles/internal/panicsafe", "bundles/internal/persist", "bundles/internal/timeparse", "bundles/internal/untrusted", "store"}},
	{"bundles/daily/internal/days", []string{"bundles/internal/arguments", "bundles/internal/lazyregexp", "bundles/internal/timeparse", "metadata"}},
	{"bundles/daily/internal/document", []string{"bundles", "bundles/daily/internal/days", "bundles/daily/internal/rows", "bundles/internal/htmltext", "bundles/internal/lazyregexp", "bundles/internal/persist", "bundles/internal/untrusted", "bundles/staged", "metadata", "store"}},
	{"bundles/daily/internal/entry", []string{"bundles/daily/internal/days", "bundles/daily/internal/rows", "bundles/internal/timeparse", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/daily/internal/prefill", []string{"bundles", "bundles/daily/internal/days", "bundles/daily/internal/document", "bundles/daily/internal/rows", "bundles/daily/sources", "bundles/internal/htmltext", "bundles/internal/panicsafe", "bundles/internal/untrusted", "bundles/staged", "metadata", "store"}},
	{"bundles/daily/internal/rows", []string{"bundles/internal/htmltext", "bundles/internal/persist", "bundles/internal/timeparse", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/daily/internal/stats", []string{"bundles/daily/internal/days", "bundles/daily/internal/rows", "bundles/internal/htmltext", "bundles/internal/panicsafe", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/daily/internal/task", []string{"bundles/daily/internal/days", "bundles/daily/internal/rows", "bundles/internal/arguments", "bundles/internal/budget", "bundles/internal/untrusted", "metadata", "store"}},
	{"bundles/daily", []string{"bundles", "bundles/staged", "metadata", "store", "bundles/internal/...", "bundles/daily/export", "bundles/daily/sources", "bundles/daily/internal/..."}},
	{"bundles/stagedtest", []string{"bundles", "bundles/staged", "metadata", "store", "store/enginetest", "store/tables/*", "bundles/internal/..."}},
	{"bundles/*", []string{"bundles", "bundles/staged", "metadata", "store", "store/semantic", "bundles/internal/..."}},
	{"entrypoint/transport", []string{"metadata"}},
	{"entrypoint/mcpserver", []string{"entrypoint", "entrypoint/transport", "bundles", "metadata", "entrypoint/conformance"}}, // the last behind a build tag
	{"entrypoint", []string{"bundles", "metadata"}},
	{"entrypoint/discovery", []string{"entrypoint", "bundles", "metadata", "metadata/search", "metadata/docs"}},
	{"entrypoint/approval", []string{"entrypoint", "bundles", "metadata"}},
	{"entrypoint/policy", []string{"entrypoint", "bundles", "metadata"}},
	{"entrypoint/audit", []string{"entrypoint", "bundles", "metadata"}},
	{"entrypoint/usage", []string{"entrypoint", "bundles", "metadata"}},
	{"entrypoint/untrusted", []string{"entrypoint", "bundles"}},
	{"entrypoint/pipeline", []string{
		"entrypoint", "entrypoint/approval", "entrypoint/audit", "entrypoint/discovery", "entrypoint/policy", "entrypoint/untrusted", "entrypoint/usage",
		"bundles", "metadata",
	}},
	{"entrypoint/routertest", []string{"entrypoint", "entrypoint/pipeline", "entrypoint/policy", "bundles", "metadata"}},
	{"entrypoint/conformance", nil},
	{"entrypoint/web", nil},
	{"entrypoint/wiretest", nil},
	{"entrypoint/repairtest", nil},
	{"cmd/kota", []string{"entrypoint", "entrypoint/mcpserver", "entrypoint/approval", "entrypoint/pipeline", "entrypoint/policy", "entrypoint/discovery", "entrypoint/transport", "entrypoint/web", "bundles", "bundles/*", "bundles/daily/export", "metadata", "metadata/search", "metadata/docs", "store", "store/sqlite", "store/sqlite/*", "store/postgres/pgtest", "store/tables/*", "store/semantic", "auth", "auth/issuer", "auth/vault", "cmd/kota/internal/..."}},
	{"cmd/kota/internal/accounts", []string{"auth", "bundles", "bundles/calendar", "bundles/gmail", "cmd/kota/internal/app", "cmd/kota/internal/mistake", "cmd/kota/internal/signin", "metadata", "store/tables/contacts", "store/tables/mailcache"}},
	{"cmd/kota/internal/app", []string{"auth", "auth/vault", "bundles", "bundles/*", "bundles/daily/sources", "cmd/kota/internal/config", "cmd/kota/internal/footprint", "cmd/kota/internal/metrics", "cmd/kota/internal/mistake", "cmd/kota/internal/safefile", "cmd/kota/internal/signin", "cmd/kota/internal/tenant", "cmd/kota/internal/term", "cmd/kota/internal/tracing", "entrypoint", "entrypoint/approval", "entrypoint/audit", "entrypoint/mcpserver", "entrypoint/pipeline", "entrypoint/policy", "entrypoint/transport", "entrypoint/usage", "metadata", "store", "store/semantic", "store/engine", "store/postgres", "store/postgres/sessions", "store/semantic/static", "store/sqlite", "store/sqlite/*", "store/tables/*"}},
	{"cmd/kota/internal/auditlog", []string{"cmd/kota/internal/app", "cmd/kota/internal/mistake", "cmd/kota/internal/safefile", "metadata", "store"}},
	{"cmd/kota/internal/backup", []string{"bundles", "cmd/kota/internal/app", "cmd/kota/internal/mistake", "metadata", "store", "store/sqlite", "store/sqlite/restore", "store/tables/memory"}},
	{"cmd/kota/internal/catalog", []string{"cmd/kota/internal/mistake", "cmd/kota/internal/term", "metadata", "metadata/search"}},
	{"cmd/kota/internal/chart", []string{"cmd/kota/internal/mistake", "store"}},
	{"cmd/kota/internal/clients", []string{"bundles", "cmd/kota/internal/mistake", "cmd/kota/internal/safefile"}},
	{"cmd/kota/internal/config", []string{"auth", "auth/vault", "bundles/daily", "bundles/staged", "cmd/kota/internal/mistake", "cmd/kota/internal/safefile", "entrypoint/mcpserver", "entrypoint/policy", "metadata", "store/postgres"}},
	{"cmd/kota/internal/console", []string{"bundles", "bundles/memory", "cmd/kota/internal/app", "cmd/kota/internal/auditlog", "cmd/kota/internal/console/...", "cmd/kota/internal/costs", "cmd/kota/internal/outbox", "cmd/kota/internal/pending", "cmd/kota/internal/undo", "entrypoint", "metadata", "store"}},
	{"cmd/kota/internal/console/access", []string{"cmd/kota/internal/console/static"}},
	{"cmd/kota/internal/console/static", nil},
	{"cmd/kota/internal/console/view", []string{"bundles", "cmd/kota/internal/console/access", "cmd/kota/internal/console/static"}},
	{"cmd/kota/internal/costs", []string{"cmd/kota/internal/app", "entrypoint", "entrypoint/mcpserver", "store"}},
	{"cmd/kota/internal/doctor", []string{"auth", "auth/issuer", "bundles/calendar", "cmd/kota/internal/app", "cmd/kota/internal/clients", "cmd/kota/internal/config", "cmd/kota/internal/safefile", "cmd/kota/internal/server", "cmd/kota/internal/signin", "cmd/kota/internal/tenant", "metadata", "store", "store/semantic", "store/semantic/static", "store/engine", "store/postgres", "store/sqlite", "store/sqlite/*", "store/tables/*"}},
	{"cmd/kota/internal/footprint", nil},
	{"cmd/kota/internal/guide", []string{"auth", "cmd/kota/internal/accounts", "cmd/kota/internal/app", "cmd/kota/internal/clients", "cmd/kota/internal/config", "cmd/kota/internal/install", "cmd/kota/internal/mistake", "cmd/kota/internal/signin", "cmd/kota/internal/term", "entrypoint"}},
	{"cmd/kota/internal/install", []string{"bundles", "cmd/kota/internal/app", "cmd/kota/internal/clients", "cmd/kota/internal/config", "cmd/kota/internal/doctor", "cmd/kota/internal/mistake"}},
	{"cmd/kota/internal/metrics", []string{"entrypoint", "metadata"}},
	{"cmd/kota/internal/move", []string{"auth", "cmd/kota/internal/app", "cmd/kota/internal/mistake", "cmd/kota/internal/signin", "metadata", "store", "store/engine", "store/move", "store/postgres", "store/postgres/schema", "store/tables/index"}},
	{"cmd/kota/internal/mistake", []string{"metadata"}},
	{"cmd/kota/internal/outbox", []string{"bundles", "cmd/kota/internal/app", "entrypoint", "metadata"}},
	{"cmd/kota/internal/pending", []string{"cmd/kota/internal/app", "cmd/kota/internal/mistake", "cmd/kota/internal/term", "entrypoint", "entrypoint/approval", "metadata", "store", "store/tables/approvals"}},
	{"cmd/kota/internal/safefile", []string{"cmd/kota/internal/mistake"}},
	{"cmd/kota/internal/server", []string{"auth", "auth/issuer", "cmd/kota/internal/app", "cmd/kota/internal/config", "cmd/kota/internal/console", "cmd/kota/internal/console/access", "cmd/kota/internal/footprint", "cmd/kota/internal/mistake", "cmd/kota/internal/tenant", "cmd/kota/internal/term", "entrypoint", "entrypoint/mcpserver", "entrypoint/transport", "entrypoint/web", "store", "store/postgres", "store/postgres/pgtest"}}, // auth/issuer and store/... for tests
	{"cmd/kota/internal/signin", []string{"auth", "auth/vault", "bundles", "metadata"}},
	{"cmd/kota/internal/tenant", []string{"auth", "auth/issuer", "cmd/kota/internal/config", "cmd/kota/internal/mistake", "cmd/kota/internal/safefile", "entrypoint/transport", "entrypoint/web"}},
	{"cmd/kota/internal/term", []string{"bundles", "metadata"}},
	{"cmd/kota/internal/tracing", []string{"entrypoint", "metadata"}},
	{"cmd/kota/internal/undo", []string{"bundles", "bundles/calendar", "bundles/contacts", "bundles/daily", "bundles/gmail", "bundles/memory", "cmd/kota/internal/app", "cmd/kota/internal/mistake", "entrypoint", "metadata", "store", "store/tables/diary", "store/tables/memory", "store/tables/undo"}},
	{"cmd/demo", nil},
	{"cmd/messages", nil},
	{"cmd/manual", nil},
	{"cmd/fakegoogle", []string{"bundles/bundletest"}},
	{"cmd/bench/internal/report", nil},
	{"cmd/bench/internal/search", []string{"cmd/bench/internal/report", "bundles", "bundles/*", "metadata", "metadata/search", "metadata/classifier", "store/storetest", "store/semantic", "store/semantic/semantictest"}},
	{"cmd/bench", []string{"cmd/bench/internal/*", "entrypoint", "entrypoint/audit", "entrypoint/mcpserver", "entrypoint/pipeline", "entrypoint/repairtest", "bundles", "bundles/*", "bundles/daily/sources", "bundles/bundletest", "metadata", "metadata/search", "metadata/classifier", "store", "store/postgres", "store/postgres/pgtest", "store/sqlite", "store/sqlite/*", "store/tables/*", "store/storetest", "store/semantic", "store/semantic/semantictest"}},
	{"cmd/bench/*", nil},
}

type layer struct {
	packages string
	allowed  []string
}

// bundleTestImports are what tests of bundles may also import: they store their rows
// in a real database. The tests of that package may too.
var bundleTestImports = []string{"store/sqlite", "store/sqlite/...", "store/postgres", "store/tables/..."}

// restrictedModules are modules that only few packages may import, so that one adapter
// per module is enough.
var restrictedModules = map[string][]string{
	"github.com/mark3labs/mcp-go": {"entrypoint/mcpserver", "entrypoint/conformance", "cmd/demo", "cmd/bench", "cmd/bench/*"},
	"github.com/spf13/cobra":      {"cmd/kota"},
}

// blankImports are the imports only for their effect: a driver and the time zones.
// Any package may import embed so.
var blankImports = map[string][]string{
	"store/sqlite":               {"modernc.org/sqlite"},
	"cmd/bench/rows":             {"modernc.org/sqlite"},
	"bundles/internal/timeparse": {"time/tzdata"},
}

// packageSource is a package as its files declare it.
type packageSource struct {
	path         string // below the module's path
	imports      []string
	testImports  []string
	blankImports []string
	initFuncs    []string // positions of init functions
}

// isForTests reports whether any test may use the package. A package for
// tests has a name that ends in test, or a parent with such a name. Tests may
// also use the packages that compose what they test: pipeline and policy.
func isForTests(pkg string) bool {
	return strings.HasSuffix(pkg, "test") || strings.Contains(pkg, "test/") || pkg == "entrypoint/pipeline" || pkg == "entrypoint/policy"
}

func TestImportsRunOneWay(t *testing.T) {
	sources := readSources(t, filepath.Join("..", ".."))
	for _, name := range []string{"cmd/kota", "entrypoint", "bundles/memory", "metadata", "store"} {
		if !slices.ContainsFunc(sources, func(s packageSource) bool { return s.path == name && len(s.imports) > 0 }) {
			t.Errorf("package %s was not read", name)
		}
	}
	for _, breach := range violations(sources) {
		t.Error(breach)
	}
}

func TestTheGraphIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		given packageSource
		want  int
	}{
		"metadata imports nothing of KOTA": {packageSource{path: "metadata", imports: []string{"kota/store"}}, 1},
		"nor does store":                   {packageSource{path: "store", imports: []string{"kota/metadata"}}, 1},
		"nor auth":                         {packageSource{path: "auth", imports: []string{"kota/metadata"}}, 1},
		"bundles does not keep rows":       {packageSource{path: "bundles", imports: []string{"kota/metadata", "kota/store"}}, 1},
		"a bundle may":                     {packageSource{path: "bundles/daily", imports: []string{"kota/bundles", "kota/metadata", "kota/store"}}, 0},
		"no bundle imports another":        {packageSource{path: "bundles/daily", imports: []string{"kota/bundles/memory"}}, 1},
		"nor entrypoint nor auth":          {packageSource{path: "bundles/gmail", imports: []string{"kota/entrypoint", "kota/auth"}}, 2},
		"two share what is internal":       {packageSource{path: "bundles/gmail", imports: []string{"kota/bundles/internal/google"}}, 0},
		"each has engines of its own":      {packageSource{path: "bundles/gmail", imports: []string{"kota/bundles/gmail/internal/mailbody"}}, 0},
		"which are for it alone":           {packageSource{path: "bundles/daily", imports: []string{"kota/bundles/gmail/internal/mailbody"}}, 1},
		"which knows none of them":         {packageSource{path: "bundles/internal/google", imports: []string{"kota/bundles/gmail"}}, 1},
		"a bundle knows no database":       {packageSource{path: "bundles/daily", imports: []string{"kota/store/sqlite"}}, 1},
		"but its tests use one":            {packageSource{path: "bundles/daily", testImports: []string{"kota/store/sqlite"}}, 0},
		"of it one package keeps rows":     {packageSource{path: "bundles/internal/persist", imports: []string{"kota/store", "kota/metadata"}}, 0},
		"the others keep none":             {packageSource{path: "bundles/internal/google", imports: []string{"kota/store"}}, 1},
		"entrypoint knows no bundle":       {packageSource{path: "entrypoint", imports: []string{"kota/bundles", "kota/bundles/memory"}}, 1},
		"and no rows":                      {packageSource{path: "entrypoint", imports: []string{"kota/store"}}, 1},
		"the program knows all":            {packageSource{path: "cmd/kota", imports: []string{"kota/auth", "kota/bundles/daily", "kota/entrypoint", "kota/store"}}, 0},
		"but no other program":             {packageSource{path: "cmd/kota", imports: []string{"kota/cmd/demo"}}, 1},
		"the top level is fixed":           {packageSource{path: "internal/util"}, 1},
		"commands too":                     {packageSource{path: "cmd/kotactl"}, 1},
		"tests are bound as well":          {packageSource{path: "metadata", testImports: []string{"kota/store"}}, 1},
		"but may use what is for tests":    {packageSource{path: "bundles/daily", testImports: []string{"kota/bundles/daily", "kota/bundles/bundletest"}}, 0},
		"which is for them alone":          {packageSource{path: "bundles/daily", imports: []string{"kota/bundles/bundletest"}}, 1},
		"and so is what is below it":       {packageSource{path: "bundles/daily", imports: []string{"kota/bundles/internal/google/googletest/fakeapi"}}, 1},
		"MCP stays in mcpserver":           {packageSource{path: "bundles/memory", imports: []string{"github.com/mark3labs/mcp-go/mcp"}}, 1},
		"in tests too":                     {packageSource{path: "cmd/kota", testImports: []string{"github.com/mark3labs/mcp-go/client"}}, 1},
		"where it belongs":                 {packageSource{path: "entrypoint/mcpserver", imports: []string{"github.com/mark3labs/mcp-go/server"}}, 0},
		"nor in the router":                {packageSource{path: "entrypoint", imports: []string{"github.com/mark3labs/mcp-go/mcp"}}, 1},
		"flags stay in the program":        {packageSource{path: "entrypoint", imports: []string{"github.com/spf13/cobra"}}, 1},
		"nothing registers itself":         {packageSource{path: "bundles/memory", initFuncs: []string{"memory.go:3:1"}}, 1},
		"nor by a blank import":            {packageSource{path: "cmd/kota", imports: []string{"kota/bundles/memory"}, blankImports: []string{"kota/bundles/memory"}}, 1},
		"a driver does":                    {packageSource{path: "store/sqlite", imports: []string{"modernc.org/sqlite"}, blankImports: []string{"modernc.org/sqlite"}}, 0},
	} {
		if got := violations([]packageSource{c.given}); len(got) != c.want {
			t.Errorf("%s: got breaches %q, want %d", name, got, c.want)
		}
	}
}

// violations returns every violation of the graph.
func violations(sources []packageSource) []string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, s := range sources {
		row := slices.IndexFunc(layers, func(l layer) bool { return matchesPackage(l.packages, s.path) })
		if row < 0 {
			say("%s: add a line for this package to layers", s.path)
			continue
		}
		may := layers[row].allowed
		for _, imported := range s.imports {
			if !isAllowed(s.path, imported, may) {
				say("%s imports %s", s.path, imported)
			}
		}
		for _, imported := range s.testImports {
			own, isOwn := strings.CutPrefix(imported, module+"/")
			if isOwn && (own == s.path || isForTests(own) || (matchesPackage("bundles/...", s.path) || slices.ContainsFunc(bundleTestImports, func(pattern string) bool { return matchesPackage(pattern, s.path) })) && slices.ContainsFunc(bundleTestImports, func(pattern string) bool { return matchesPackage(pattern, own) })) {
				continue
			}
			if !isAllowed(s.path, imported, may) {
				say("a test of %s imports %s", s.path, imported)
			}
		}
		for _, imported := range s.blankImports {
			if imported != "embed" && !slices.Contains(blankImports[s.path], imported) {
				say("%s imports %s for its effect", s.path, imported)
			}
		}
		for _, position := range s.initFuncs {
			say("%s: an init function runs before main decides", position)
		}
	}
	return all
}

// isAllowed reports whether a package that may import those in may can import
// this one.
func isAllowed(pkg, imported string, may []string) bool {
	if own, isOwn := strings.CutPrefix(imported, module+"/"); isOwn {
		return slices.ContainsFunc(may, func(pattern string) bool {
			return matchesPackage(pattern, own) && (!isForTests(own) || pattern == own)
		})
	}
	for guarded, users := range restrictedModules {
		if imported == guarded || strings.HasPrefix(imported, guarded+"/") {
			return slices.ContainsFunc(users, func(pattern string) bool { return matchesPackage(pattern, pkg) })
		}
	}
	return true
}

func matchesPackage(pattern, pkg string) bool {
	if prefix, deep := strings.CutSuffix(pattern, "/..."); deep {
		return strings.HasPrefix(pkg, prefix+"/")
	}
	ok, err := path.Match(pattern, pkg)
	return ok && err == nil
}

// readSources reads every Go file of the module below root, ignoring build
// constraints.
func readSources(t *testing.T, root string) []packageSource {
	t.Helper()
	packages := map[string]*packageSource{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go":
			return nil
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		name := filepath.ToSlash(folder)
		if packages[name] == nil {
			packages[name] = &packageSource{path: name}
		}
		return packages[name].add(fset, parsed, strings.HasSuffix(file, "_test.go"))
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []packageSource
	for _, s := range packages {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b packageSource) int { return strings.Compare(a.path, b.path) })
	return all
}

func (s *packageSource) add(fset *token.FileSet, file *ast.File, test bool) error {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if test {
			s.testImports = append(s.testImports, imported)
		} else {
			s.imports = append(s.imports, imported)
		}
		if spec.Name != nil && spec.Name.Name == "_" {
			s.blankImports = append(s.blankImports, imported)
		}
	}
	for _, declared := range file.Decls {
		if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			s.initFuncs = append(s.initFuncs, fset.Position(f.Pos()).String())
		}
	}
	return nil
}
