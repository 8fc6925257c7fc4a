// Runs one workflow with act's engine. In two points it behaves like GitHub and unlike act's own command: a job
// starts as soon as the jobs that it needs are done, and the failure of a called workflow is a result that later
// jobs can read, and does not end the run.
//
//	runner CONFIG.json
//
// prints act's log as JSON lines, each with the job of the run as "run_job", and a separate line with "run_job",
// "result" and "outputs" for each job that ended. Exit status: 0 if no job failed, 1 if one failed, 2 if the run
// could not be started.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/nektos/act/pkg/model"
	actrunner "github.com/nektos/act/pkg/runner"
	"github.com/sirupsen/logrus"
)

// Config defines the run and its environment.
type Config struct {
	Workflow  string            `json:"workflow"`   // the file
	Workdir   string            `json:"workdir"`    // its repository
	Event     string            `json:"event"`      // such as push
	EventFile string            `json:"event_file"` // the event's payload
	Folder    string            `json:"folder"`     // working folder of jobs
	Env       map[string]string `json:"env"`        // of all jobs
	Labels    []string          `json:"labels"`     // of the available runners; other jobs are left out
	Actions   map[string]string `json:"actions"`    // owner/name: the folder of the fake action
	Jobs      int               `json:"jobs"`       // maximum of concurrent jobs

	// Variables of the machines of single jobs.
	JobEnv map[string]map[string]string `json:"job_env"`

	// The values of github.token in single jobs.
	Tokens map[string]string `json:"tokens"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: runner CONFIG.json")
		os.Exit(2)
	}
	// Collecting garbage took a third of the time. A run ends before it needs much memory.
	debug.SetGCPercent(1000)
	failed, err := run(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(path string) (bool, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var config Config
	if err := json.Unmarshal(content, &config); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	planner, err := model.NewWorkflowPlanner(config.Workflow, true, false)
	if err != nil {
		return false, err
	}
	plan, err := planner.PlanEvent(config.Event)
	if err != nil {
		return false, err
	}
	if len(plan.Stages) == 0 {
		return false, fmt.Errorf("%s does not run on %s", config.Workflow, config.Event)
	}
	platforms := map[string]string{}
	for _, label := range config.Labels {
		platforms[strings.ToLower(label)] = "-self-hosted"
	}
	base := actrunner.Config{
		Workdir:        config.Workdir,
		EventName:      config.Event,
		EventPath:      config.EventFile,
		DefaultBranch:  "main",
		ActionCacheDir: config.Folder,
		ActionCache:    &standIns{folders: config.Actions},
		NoSkipCheckout: true,
		LogOutput:      true,
		JSONLogger:     true,
		Inputs:         map[string]string{},
		Secrets:        map[string]string{},
		Vars:           map[string]string{},
		Platforms:      platforms,
		GitHubInstance: "github.com",
		RemoteName:     "origin",
		ConcurrentJobs: config.Jobs,
	}
	engine := func(job string) (actrunner.Runner, error) {
		own := base
		own.Token = config.Tokens[job]
		own.Env = map[string]string{"REHEARSAL_JOB": job}
		maps.Copy(own.Env, config.Env)
		maps.Copy(own.Env, config.JobEnv[job])
		return actrunner.New(&own)
	}
	return runJobs(engine, plan, config.Jobs)
}

// engines creates the engine for a job.
type engines func(job string) (actrunner.Runner, error)

// runJobs runs each job after the jobs that it needs; returns whether one failed.
func runJobs(engine engines, plan *model.Plan, atOnce int) (bool, error) {
	done := map[string]chan struct{}{}
	for _, stage := range plan.Stages {
		for _, run := range stage.Runs {
			done[run.JobID] = make(chan struct{})
		}
	}
	slots := make(chan struct{}, atOnce)
	ends := make(chan end, len(done))
	for _, stage := range plan.Stages {
		for _, run := range stage.Runs {
			go func() {
				defer close(done[run.JobID])
				for _, need := range run.Job().Needs() {
					<-done[need]
				}
				slots <- struct{}{}
				defer func() { <-slots }()
				failed, err := runJob(engine, run)
				ends <- end{failed, err}
			}()
		}
	}
	failed := false
	var problem error
	for range done {
		end := <-ends
		failed = failed || end.failed
		problem = errors.Join(problem, end.err)
	}
	return failed, problem
}

type end struct {
	failed bool
	err    error
}

func runJob(engine engines, run *model.Run) (bool, error) {
	act, err := engine(run.JobID)
	if err != nil {
		return false, err
	}
	log := &logs{job: run.JobID}
	ctx := actrunner.WithJobLoggerFactory(context.Background(), log)
	alone := &model.Plan{Stages: []*model.Stage{{Runs: []*model.Run{run}}}}
	err = act.NewPlanExecutor(alone)(ctx)
	job := run.Job()
	switch {
	case err != nil:
		// act sets the result of a called workflow to that of the job that ended last.
		job.Result = "failure"
	case job.Result == "":
		// It did not run: no such runner, or all jobs of the called workflow were skipped.
		job.Result = "skipped"
	}
	entry := log.WithJobLogger().WithFields(logrus.Fields{"result": job.Result, "outputs": job.Outputs})
	if err != nil {
		entry = entry.WithField("why", err.Error())
	}
	entry.Info("job ended")
	return job.Result == "failure", nil
}

// logs creates the loggers of one job of the run.
type logs struct{ job string }

func (l *logs) WithJobLogger() *logrus.Logger {
	logger := logrus.New()
	logger.SetOutput(&stdout)
	logger.SetFormatter(&logrus.JSONFormatter{})
	logger.AddHook(l)
	return logger
}

func (l *logs) Levels() []logrus.Level { return logrus.AllLevels }

func (l *logs) Fire(entry *logrus.Entry) error {
	entry.Data["run_job"] = l.job
	return nil
}

// stdout writes one line at a time, from concurrent jobs.
var stdout lines

type lines struct{ mutex sync.Mutex }

func (l *lines) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return os.Stdout.Write(line)
}

// standIns are the folders of fake actions, by owner/name: nothing is fetched.
type standIns struct {
	folders map[string]string
	mutex   sync.Mutex // act's cache is not synchronized
	cache   actrunner.LocalRepositoryCache
}

func (s *standIns) Fetch(ctx context.Context, name, url, ref, token string) (string, error) {
	folder, ok := s.folders[name]
	if !ok {
		return "", fmt.Errorf("nothing stands in for the action %s", name)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.cache.LocalRepositories == nil {
		s.cache.LocalRepositories, s.cache.CacheDirCache = map[string]string{}, map[string]string{}
	}
	s.cache.LocalRepositories[name+"@"+ref] = folder
	return s.cache.Fetch(ctx, name, url, ref, token)
}

func (s *standIns) GetTarArchive(ctx context.Context, name, sha, prefix string) (io.ReadCloser, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.cache.GetTarArchive(ctx, name, sha, prefix)
}
