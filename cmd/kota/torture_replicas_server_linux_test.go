package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store/faulttest"
	"kota/store/postgres/pgtest"
)

// answerLimit is the time in which a replica answers each call, whatever the database does: the time
// limit of the call, and some more.
const answerLimit = 70 * time.Second

// recoveryLimit is the time after a fault in which each replica writes again.
const recoveryLimit = 15 * time.Second

// TestReplicasOutliveDatabaseFaults lets two replicas write while their database server fails. All
// acknowledged writes are there afterwards. A write that is refused as not done is not there. Mail
// requested meanwhile is sent once. Nobody starts a replica again. Without full torture, a fault lasts
// three seconds instead of a minute, and some are left out.
func TestReplicasOutliveDatabaseFaults(t *testing.T) {
	tortureReplicas(t)
	length := 3 * time.Second
	if faulttest.FullTorture() {
		length = time.Minute
	}
	faults := map[string]func(t *testing.T){
		"restarts": func(t *testing.T) {
			c := pgtest.StartCluster(t, "")
			newTormentedReplicas(t, c).during(func() {
				for _, signal := range []string{"INT", "QUIT", "KILL"} {
					c.Stop(signal)
					c.Start()
					time.Sleep(time.Second)
				}
			})
		},
		"stopped for a while": func(t *testing.T) {
			c := pgtest.StartCluster(t, "")
			newTormentedReplicas(t, c).during(func() {
				c.Stop("INT")
				time.Sleep(length)
				c.Start()
			})
		},
		"no free connection": func(t *testing.T) {
			c := pgtest.StartCluster(t, "", "max_connections=20")
			d := newTormentedReplicas(t, c)
			d.during(func() {
				release := takeConnections(t, d.database)
				c.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kota'")
				time.Sleep(min(length, 20*time.Second))
				release()
			})
		},
		"a full disk": func(t *testing.T) {
			disk := t.TempDir()
			onSmallDisk(t, disk, "96m")
			for folder := disk; folder != "/tmp" && folder != "/"; folder = filepath.Dir(folder) {
				if err := os.Chmod(folder, 0o755); err != nil { // the server is another user
					t.Fatal(err)
				}
			}
			if err := os.Chmod(disk, 0o777); err != nil {
				t.Fatal(err)
			}
			c := pgtest.StartCluster(t, disk, "max_wal_size=8MB", "min_wal_size=2MB")
			newTormentedReplicas(t, c).during(func() {
				fill(t, filepath.Join(disk, "filler"))
				time.Sleep(min(length, 20*time.Second))
				if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
					t.Fatal(err)
				}
				c.StartAgain()
			})
		},
		"a standby takes over": func(t *testing.T) {
			c := pgtest.StartCluster(t, "", "wal_retrieve_retry_interval=500ms")
			standby := c.Standby("b", "wal_retrieve_retry_interval=500ms")
			c.Exec("ALTER SYSTEM SET synchronous_standby_names = 'b'")
			c.Exec("SELECT pg_reload_conf()")
			newTormentedReplicas(t, c, standby).during(func() {
				c.Stop("KILL")
				time.Sleep(min(length, 10*time.Second))
				standby.Exec("SELECT pg_promote()")
			})
		},
	}
	if !faulttest.FullTorture() {
		maps.DeleteFunc(faults, func(name string, _ func(*testing.T)) bool {
			return name != "restarts" && name != "a standby takes over"
		})
		t.Log("three faults are left to `make torture-replicas`")
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault(t)
		})
	}
}

// tormentedReplicas are two replicas whose database server fails.
type tormentedReplicas struct {
	*replicaHome
	both []*replica
}

// newTormentedReplicas starts two replicas on a database of the cluster, with its standbys. KOTA's
// role is no superuser.
func newTormentedReplicas(t *testing.T, c *pgtest.Cluster, standbys ...*pgtest.Cluster) *tormentedReplicas {
	t.Helper()
	c.Exec("CREATE ROLE kota LOGIN CREATEROLE PASSWORD 'canary-password'")
	c.Exec("CREATE DATABASE kota OWNER kota")
	given, err := url.Parse(c.URL("kota", "kota"))
	if err != nil {
		t.Fatal(err)
	}
	given.User = url.UserPassword("kota", "canary-password")
	hosts := []string{c.Folder()}
	for _, standby := range standbys {
		hosts = append(hosts, standby.Folder())
	}
	given.RawQuery = url.Values{"host": {strings.Join(hosts, ",")}}.Encode()
	d := newCalendarHome(t, "send: allow\nlimits: {sends_per_hour: off, sends_per_day: off, changes_per_hour: off}\n")
	d.database = given.String()
	d.must("secrets", "import")
	home := &replicaHome{testHome: d, server: &c.Server}
	return &tormentedReplicas{home, []*replica{home.start(d.database, d.google.URL()), home.start(d.database, d.google.URL())}}
}

// during runs fault while both replicas write and send, and then checks all that they answered.
func (d *tormentedReplicas) during(fault func()) {
	d.t.Helper()
	stops := []func() ([]string, []replicaAnswer){}
	for i, w := range d.both {
		w.mustCall("memory_set", object{"key": "warm", "value": "yes"})
		stops = append(stops, w.keepWriting(fmt.Sprintf("of-%d", i), 20*time.Millisecond))
	}
	time.Sleep(500 * time.Millisecond)
	stopMails := d.keepSending()
	fault()
	recovered := time.Now()
	for i, w := range d.both {
		for n := 0; ; n++ {
			got, err := w.call("memory_set", object{"key": fmt.Sprintf("after-%d", i), "value": "yes"})
			if err == nil && !got.failed {
				break
			}
			if time.Since(recovered) > recoveryLimit {
				d.t.Fatalf("replica %d does not recover: %v %s", i, err, got.text)
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
	d.t.Logf("both write again after %s", time.Since(recovered).Round(10*time.Millisecond))
	mails := stopMails()
	time.Sleep(500 * time.Millisecond)
	for i, stop := range stops {
		acknowledged, failures := stop()
		d.checkAnswers(i, acknowledged, failures)
	}
	d.repeatMails(mails)
	if out, complaint, status := d.run("audit", "verify"); status != 0 {
		d.t.Errorf("the audit log: %s%s", out, complaint)
	}
	for i, w := range d.both {
		if seen := w.stop(); strings.Contains(seen, "canary") {
			d.t.Errorf("replica %d prints the password: %s", i, seen)
		}
	}
}

// checkAnswers checks that replica i was right about each of its writes.
func (d *tormentedReplicas) checkAnswers(i int, acknowledged []string, failures []replicaAnswer) {
	d.t.Helper()
	d.both[1-i].checkStored(acknowledged)
	codes, slowest := map[string]int{}, time.Duration(0)
	for _, failure := range failures {
		codes[strings.ReplaceAll(failure.message(), failure.key, "…")]++
		slowest = max(slowest, failure.elapsed)
		switch got, err := d.both[1-i].call("memory_get", object{"query": failure.key}); {
		case !failure.unknown() && (failure.code != "UNAVAILABLE" || !strings.Contains(failure.text, `"retryable":true`)):
			d.t.Errorf("%s fails with %s", failure.key, failure.text)
		case strings.Contains(failure.text, "canary"):
			d.t.Errorf("the answer has the password: %s", failure.text)
		case !failure.unknown() && (err != nil || got.code == "" && strings.Contains(got.text, "the value of "+failure.key+`"`)):
			d.t.Errorf("%s was answered with %s, and is stored: %v %s", failure.key, failure.text, err, got.text)
		}
	}
	if len(acknowledged) == 0 || slowest > answerLimit {
		d.t.Errorf("replica %d acknowledged %d writes, and failed within %s", i, len(acknowledged), slowest)
	}
	d.t.Logf("replica %d: %d writes acknowledged, failed: %v, slowest failure %s", i, len(acknowledged), codes, slowest.Round(time.Millisecond))
}

// keepSending requests a mail every half second, at one replica after the other. stop returns all of
// them, whether they were sent or not.
func (d *tormentedReplicas) keepSending() (stop func() []object) {
	ctx, cancel := context.WithCancel(context.Background())
	mails, running := []object{}, sync.WaitGroup{}
	running.Go(func() {
		for n := 0; n < 40; n++ {
			select {
			case <-ctx.Done():
				return
			case <-time.After(500 * time.Millisecond):
			}
			name := fmt.Sprint("Mail ", n)
			mail := object{"to": bob, "subject": name, "body": "At noon?", "idempotency_key": name}
			mails = append(mails, mail)
			running.Go(func() {
				got, err := d.both[n%2].call("gmail_send_message", mail)
				if err == nil && !got.failed && mailCount(d.testHome, name) != 1 {
					d.t.Errorf("%s: %s, but it was sent %d times", name, got.text, mailCount(d.testHome, name))
				}
				if got.elapsed > answerLimit {
					d.t.Errorf("%s was answered after %s", name, got.elapsed)
				}
			})
		}
	})
	return func() []object {
		cancel()
		running.Wait()
		return mails
	}
}

// repeatMails repeats the mails until each was sent. None may be sent twice.
func (d *tormentedReplicas) repeatMails(mails []object) {
	d.t.Helper()
	for _, mail := range mails {
		name := mail["subject"].(string)
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
			got, err := d.both[0].call("gmail_send_message", mail)
			if err == nil && !got.failed {
				break
			}
			if time.Now().After(deadline) {
				d.t.Errorf("%s is never sent: %v %s", name, err, got.text)
				break
			}
		}
		if sent := mailCount(d.testHome, name); sent != 1 {
			d.t.Errorf("%s was sent %d times", name, sent)
		}
	}
	d.t.Logf("%d mails were sent once", len(mails))
}

// takeConnections takes each connection of the server as soon as it is free, until release.
func takeConnections(t *testing.T, database string) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		taken := []*pgx.Conn{}
		for ctx.Err() == nil {
			config, err := pgx.ParseConfig(database)
			if err != nil {
				t.Error(err)
				break
			}
			config.RuntimeParams["application_name"] = "other"
			if conn, err := pgx.ConnectConfig(ctx, config); err == nil {
				taken = append(taken, conn)
				continue
			}
			time.Sleep(5 * time.Millisecond)
		}
		for _, conn := range taken {
			conn.Close(context.Background())
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
