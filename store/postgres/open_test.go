package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kota/store"
)

// logins are the kinds of roles that a database URL may have.
var logins = map[string]struct {
	attributes string
	owner      bool
	works      string // as which role: "app" or "login"
}{
	"a superuser":                    {"SUPERUSER", false, "app"},
	"an owner that creates roles":    {"CREATEROLE", true, "app"},
	"an owner":                       {"", true, "login"},
	"an owner that bypasses RLS":     {"CREATEROLE BYPASSRLS", true, "app"},
	"an owner that does not inherit": {"NOINHERIT CREATEROLE", true, "app"},
}

func TestOneURLIsEnough(t *testing.T) {
	t.Parallel()
	for name, login := range logins {
		t.Run(name, func(t *testing.T) {
			d := newDatabase(t)
			url := d.role(t, login.attributes, login.owner)
			for range 2 { // the second finds its tables
				s := mustOpen(t, url)
				db := mustTenant(t, s, "ann")
				user, number := "", int64(0)
				if err := db.Read(t.Context()).Row("SELECT current_user::text, (SELECT owner FROM heads)").Scan(&user, &number); err != nil {
					t.Fatal(err)
				}
				if number != db.tenant {
					t.Errorf("the head is of %d, want %d", number, db.tenant)
				}
				if isApp := strings.HasPrefix(user, "kota_app_"); isApp != (login.works == "app") {
					t.Errorf("KOTA works as %s", user)
				}
			}
		})
	}
}

func TestARoleThatOwnsNothingIsEnoughLater(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	mustOpen(t, d.asSuperuser())
	url := d.role(t, "", false)
	_, err := Open(t.Context(), url, Options{})
	if !errors.Is(err, store.ErrNoRights) || !strings.Contains(err.Error(), "GRANT kota_app_") {
		t.Fatalf("a stranger got %v", err)
	}
	_, command, _ := strings.Cut(err.Error(), "can run ")
	d.exec(t, command)
	mustTenant(t, mustOpen(t, url), "ann")
}

func TestTwentyOpenersAtOnce(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	url := d.role(t, "CREATEROLE", true)
	start := make(chan struct{})
	wait := sync.WaitGroup{}
	numbers := make(chan int64, 20)
	for range 20 {
		wait.Go(func() {
			<-start
			s, err := Open(context.Background(), url+"&pool_max_conns=1", Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			db, err := s.Tenant(context.Background(), "ann")
			if err != nil {
				t.Error(err)
				return
			}
			numbers <- db.tenant
		})
	}
	close(start)
	wait.Wait()
	close(numbers)
	first := <-numbers
	for number := range numbers {
		if number != first {
			t.Errorf("one opener got the number %d, another %d", first, number)
		}
	}
	if got := d.value(t, "SELECT count(*) FROM kota.kota_schema"); got != strconv.Itoa(stepCount(t)) {
		t.Errorf("%s steps were recorded", got)
	}
	if got := d.value(t, "SELECT count(*) FROM kota.tenants"); got != "1" {
		t.Errorf("there are %s people", got)
	}
}

func TestSettingsOfTheDatabaseDoNotChangeAnswers(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	url := d.role(t, "CREATEROLE", true)
	for _, setting := range []string{"default_transaction_isolation = 'serializable'", "client_encoding = 'LATIN1'", "search_path = 'public'", "row_security = off", "standard_conforming_strings = off", "statement_timeout = '1ms'", "lock_timeout = '1ms'", "synchronous_commit = off"} {
		d.exec(t, "ALTER DATABASE "+d.name+" SET "+setting)
	}
	db := mustTenant(t, mustOpen(t, url), "日本")
	isolation, encoding, commit, text := "", "", "", ""
	err := db.Read(t.Context()).Row("SELECT current_setting('transaction_isolation'), current_setting('client_encoding'), current_setting('synchronous_commit'), ?::text FROM heads", `\\é`).Scan(&isolation, &encoding, &commit, &text)
	if err != nil || isolation != "read committed" || encoding != "UTF8" || commit != "on" || text != `\\é` {
		t.Errorf("got %s, %s, %s, %s, %v", isolation, encoding, commit, text, err)
	}
}

func TestRolesOfOneDatabaseReachNoOther(t *testing.T) {
	t.Parallel()
	first, second := newDatabase(t), newDatabase(t)
	mustTenant(t, mustOpen(t, first.role(t, "CREATEROLE", true)), "ann")
	s := mustOpen(t, second.role(t, "CREATEROLE", true))
	stranger := s.config.Copy()
	stranger.Database = first.name
	conn, err := connect(t.Context(), stranger)
	if err != nil {
		return // refused at the door
	}
	defer conn.Close(context.Background())
	if rows, err := as(t, conn, "1", "SELECT * FROM kota.heads"); err == nil {
		t.Errorf("the role of another database read %d rows", rows)
	}
}
