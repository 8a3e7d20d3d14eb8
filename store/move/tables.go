package move

import "strings"

// A kind is the type of the values of a column.
type kind int

const (
	text kind = iota
	number
	blob
)

// postgresType is the type of an array with the values of a column.
var postgresType = map[kind]string{text: "text[]", number: "bigint[]", blob: "bytea[]"}

// A column has the same values in both databases. NULL is allowed in all of them here; the schemas
// say where it is not.
type column struct {
	name   string // in PostgreSQL
	inFile string // in SQLite
	kind   kind
}

// A table is a table that both databases have. Names in SQL are quoted, because some are words of
// SQL.
type table struct {
	name    string
	columns []column
	owned   bool   // the table of SQLite has a column owner that is not among columns
	indexed bool   // the search index has the rows: they get stale = 1, so that they are indexed again
	order   string // the clause ORDER BY; "" for any order
}

// tables are all tables with data. The search index is not among them: it is built again. The end of
// the audit log and the last numbers of the rows are in heads, see counters.
//
// A column is written as its name, with # for a number and * for bytes. pg=sqlite# gives both names if
// they differ.
var tables = []table{
	rows("memories", "id# key norm value sealed* category tags source importance# pinned# created# updated# expires# deleted# version# uses# last_used#").searched(),
	rows("versions", "id# memory# key norm value sealed* category tags source importance# pinned# created# updated# expires# deleted# version# ended# operation undo# undone#"),
	rows("memory_vectors", "memory# model vector*").unowned(),
	rows("text_vectors", "hash model vector*").unowned(),
	rows("entries", "id# date moment# zone type section text mood# energy# metrics tags links backfilled# source created# updated# deleted# version#").searched(),
	rows("tasks", "id# text state made due deferred ended source created# updated# deleted# version#"),
	rows("documents", "id# type period sole# title body fields source created# updated# deleted# version#").searched(),
	rows("diary_versions", "id# kind row# version# state ended# operation undo# undone#"),
	rows("diary_calls", "key digest made created#"),
	rows("outbox", "id rowid# bundle account key digest gist kind summary raw* thread save# draft own# placed message status error tries# created# updated# holder lease#"),
	rows("undo", "id rowid# bundle account kind title before created# claimed# claimer undone#"),
	rows("stages", "handle flow stage state version# created# updated# expires# finished#"),
	rows("approvals", "id call digest tool effect args shown because session status outcome reported# created# updated# expires#"),
	rows("consents", "nonce expires#").unowned(),
	rows("passes", "rowid# kind at# n#"),
	rows("foreign_names", "account kind name"),
	rows("usage", "day tool door code count# tokens_in# tokens_out#"),
	rows("usage_pairs", "tool other count# day"),
	rows("mail", "account id thread date# size# snippet headers labels kept#"),
	rows("mail_state", "account history#"),
	rows("contacts", "account source id card"),
	rows("contacts_state", "account source token version# synced#"),
	rows("audit", "seq# name=owner at# call phase tool effect door args approval code prev* hash*").unowned().ordered("seq"),
}

// rows returns a table whose columns are written as for tables.
func rows(name, columns string) table {
	t := table{name: name, owned: true}
	for _, written := range strings.Fields(columns) {
		c := column{name: strings.TrimRight(written, "#*")}
		switch {
		case strings.HasSuffix(written, "#"):
			c.kind = number
		case strings.HasSuffix(written, "*"):
			c.kind = blob
		}
		c.inFile = c.name
		if server, file, differ := strings.Cut(c.name, "="); differ {
			c.name, c.inFile = server, file
		}
		t.columns = append(t.columns, c)
	}
	return t
}

func (t table) searched() table {
	t.indexed = true
	return t
}

func (t table) unowned() table {
	t.owned = false
	return t
}

func (t table) ordered(column string) table {
	t.order = ` ORDER BY "` + column + `"`
	return t
}

// list returns the names of columns in SQL: "a", "b".
func list(names []string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}

// inPostgres returns the names of the columns in PostgreSQL.
func (t table) inPostgres() []string {
	names := []string{}
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return names
}

// inFile returns the names of the columns in SQLite.
func (t table) inFile() []string {
	names := []string{}
	for _, c := range t.columns {
		names = append(names, c.inFile)
	}
	return names
}

// A counter is a column of heads with the last number that rows of some tables got. SQLite keeps it
// in sqlite_sequence for tables with AUTOINCREMENT, and otherwise continues after the highest number.
type counter struct {
	name     string
	column   string   // the column with the numbers
	of       []string // the tables
	sequence bool     // sqlite_sequence has it
}

var counters = []counter{
	{"memory", "id", []string{"memories"}, false},
	{"version", "id", []string{"versions"}, true},
	{"entry", "id", []string{"entries"}, true},
	{"task", "id", []string{"tasks"}, true},
	{"document", "id", []string{"documents"}, true},
	{"diary_version", "id", []string{"diary_versions"}, true},
	{"rowid", "rowid", []string{"outbox", "undo", "passes"}, false},
}
