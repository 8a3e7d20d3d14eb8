package postgres

import (
	"crypto/rand"
	"errors"
	"strconv"
	"strings"
	"time"

	"kota/store/postgres/convert"
)

const (
	// addCommit marks the group as committed, for findOutcome.
	addCommit  = "INSERT INTO commits (owner, at, id) VALUES ($1, $2, $3)"
	findCommit = "SELECT 1 FROM commits WHERE owner = $1 AND at = $2 AND id = $3"

	// announce tells the listeners of all replicas which people's rows the group has changed.
	announce = "SELECT pg_notify('" + changesChannel + "', $1)"
)

// commit sends what is queued, the heads, and COMMIT. If the outcome is unknown, it asks the
// server.
func (g *group) commit() error {
	t := trip{}
	first := (*part)(nil) // the tenant of the row in commits
	changed := []string{}
	dirty, heads := []int64{}, []*head{} // the tenants whose heads have changed
	logs := auditRows{}
	for _, p := range g.parts {
		if len(p.survivors) == 0 {
			continue
		}
		if p.changed {
			p.head.changes++
			p.dirty = true
			changed = append(changed, strconv.FormatInt(p.number, 10))
		}
		p.flush(&t)
		logs.add(p.number, p.audit)
		if p.dirty {
			dirty, heads = append(dirty, p.number), append(heads, &p.head)
		}
		if first == nil && (p.dirty || p.hooksTx.wrote) {
			first = p
			rand.Read(g.id[:])
			g.at = p.head.now().UnixMilli()
			t.add(p.number, &statement{text: addCommit, args: []any{p.number, g.at, g.id}})
		}
	}
	if len(dirty) > 0 {
		t.selectGroup(dirty)
		t.insertAudit(logs)
		t.saveHeads(dirty, heads)
		t.queue(&statement{text: leaveGroup})
	}
	if len(changed) > 0 {
		t.control(announce, strings.Join(changed, ","))
	}
	done := &statement{text: "COMMIT", into: &convert.Result{}}
	t.queue(done)
	err := t.send(g.conn)
	if err == nil && done.into.Tag().String() != "COMMIT" {
		return &tripError{err: errors.New("the database rolled the transaction back"), answered: true}
	}
	if first == nil { // nothing was changed
		return err
	}
	if isLost(err) {
		g.lane.disconnect()
		err = g.lane.findOutcome(first.number, g.id, g.at, err)
	}
	if err == nil {
		g.lane.committed[first.number] = time.Now()
	}
	return err
}
