package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kota/store/postgres/pgtest"
)

// startBalancedServers starts two servers of one person with one database, and a load balancer in
// front of them. Each has a home of its own with these settings. balanced has the URL of the balancer.
func startBalancedServers(t *testing.T, settings string, args ...string) (servers twoServers, balanced *httpServer) {
	t.Helper()
	return startBalancedServersOf(t, "kota", settings, args...)
}

// startBalancedServersOf is startBalancedServers for another build of the program.
func startBalancedServersOf(t *testing.T, program, settings string, args ...string) (servers twoServers, balanced *httpServer) {
	t.Helper()
	database := pgtest.Start(t)
	url, token := database.URL("", database.Database(t)), strings.Repeat("k", 40)
	createTables(t, url)
	env := []string{"KOTA_DATABASE_URL=" + url, "KOTA_HTTP_TOKEN=" + token, "KOTA_SECRETS_KEY=" + oldKey}
	for n := range servers {
		home := t.TempDir()
		writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(settings))
		servers[n] = startProgram(t, program, home, env, args...)
		servers[n].token = token
	}
	b := &balancer{servers: servers}
	front := httptest.NewServer(b)
	b.address = front.Listener.Addr().String()
	t.Cleanup(front.Close)
	go b.check(t)
	balanced = &httpServer{t: t, url: front.URL + "/mcp", token: token}
	waitFor(t, "finds the servers ready", func() bool { return b.ready.Load() == int32(len(servers)) })
	return servers, balanced
}

// A balancer passes requests on to the servers whose /readyz answered 200 last, in turn.
type balancer struct {
	servers twoServers
	address string
	ready   atomic.Int32 // the number of ready servers

	mu   sync.Mutex
	next int
	use  []*httputil.ReverseProxy
}

func (b *balancer) check(t *testing.T) {
	for ; t.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
		var use []*httputil.ReverseProxy
		for _, w := range b.servers {
			answer, err := http.Get(strings.TrimSuffix(w.url, "/mcp") + "/readyz")
			if err != nil {
				continue
			}
			answer.Body.Close()
			target, err := url.Parse(strings.TrimSuffix(w.url, "/mcp"))
			if answer.StatusCode == http.StatusOK && err == nil {
				use = append(use, &httputil.ReverseProxy{
					Rewrite: func(r *httputil.ProxyRequest) {
						r.SetURL(target)
						r.Out.Host = strings.Replace(r.In.Host, b.address, target.Host, 1) // keeps another name
						readBody(r)
					},
					FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
				})
			}
		}
		b.mu.Lock()
		b.use = use
		b.mu.Unlock()
		b.ready.Store(int32(len(use)))
	}
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	if len(b.use) == 0 {
		b.mu.Unlock()
		http.Error(w, "no server is ready", http.StatusBadGateway)
		return
	}
	b.next++
	proxy := b.use[b.next%len(b.use)]
	b.mu.Unlock()
	proxy.ServeHTTP(w, r)
}

// A rolling restart loses no call, and a client that listens moves to the other replica.
func TestRestartOfReplicaCutsNothing(t *testing.T) {
	t.Parallel()
	servers, w := startBalancedServers(t, "{}", "--drain", "10s", "--metrics", "127.0.0.1:0")
	listen := func(to *httpServer) <-chan string {
		body, headers := modernRequest("subscriptions/listen", object{"notifications": object{"resourceSubscriptions": []string{"memory://theme"}}})
		return to.openStream(http.MethodPost, body, headers)
	}
	set := func(key, value string) httpAnswer {
		body, headers := modernRequest("tools/call", object{"name": "memory_set", "arguments": object{"key": key, "value": value}})
		return w.ask(http.MethodPost, body, headers)
	}
	old := listen(servers[0])

	stop, failed := make(chan struct{}), make(chan string, 1000)
	var calls atomic.Int32
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if got := set(fmt.Sprintf("writer-%d", i), fmt.Sprint(n)); got.status != http.StatusOK || strings.Contains(got.body, `"isError":true`) {
					failed <- fmt.Sprint(got.status, " ", got.body)
				}
				calls.Add(1)
			}
		})
	}
	if err := servers[0].cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	checkToldToReconnect(t, "the stream of the replica that ends", old)
	moved := listen(w) // through the balancer
	set("theme", "dark")
	for line := range moved {
		if strings.Contains(line, "notifications/resources/updated") && strings.Contains(line, "memory://theme") {
			break
		}
	}
	<-servers[0].ended
	if err := servers[0].cmd.Wait(); err != nil {
		t.Errorf("it ends with %v: %s", err, servers[0].stderr.String())
	}
	close(stop)
	writers.Wait()
	close(failed)
	for failure := range failed {
		t.Errorf("a call failed: %s", failure)
	}
	pool := parseMetrics(t, servers[1].scrape(nil).body)
	if pool.sum("kota_database_connections_max") < 2 || pool.sum("kota_database_acquires_total") == 0 || pool.sum("kota_calls_total", "tool", "memory_set", "code", "") == 0 {
		t.Error("the metrics have no numbers of the pool")
	}
	if calls.Load() < 20 {
		t.Errorf("only %d calls were made", calls.Load())
	}
}
