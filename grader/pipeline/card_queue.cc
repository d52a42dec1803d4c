// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/card_queue.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// How often the queue is polled; using a card takes a second or more.
constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr const char* kLockName = "lock";
constexpr const char* kTicketPrefix = "ticket-";

/// Writable for everybody, with the sticky bit: nobody removes another's files.
bool MakeCommonFolder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) ::chmod(folder.c_str(), 01777);
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

bool Lock(int fd) {
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/// Sorts by the time since the machine's start, which all processes on it share.
std::string TicketName() {
  static std::atomic<unsigned> count = 0;
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  char name[80];
  std::snprintf(name, sizeof name, "%s%012lld.%09ld-%d-%u", kTicketPrefix, static_cast<long long>(now.tv_sec),
                now.tv_nsec, static_cast<int>(::getpid()), count++);
  return name;
}

/// Whether the process of this ticket is stopped, as by Ctrl-Z. Where its id means another process, in a
/// container that shares the folder, at worst somebody is served out of turn: the card's own lock still keeps
/// all apart.
bool IsSuspended(const std::string& ticket) {
  const std::size_t count = ticket.rfind('-');
  const std::size_t id = ticket.rfind('-', count - 1);
  if (count == std::string::npos || id == std::string::npos) return false;
  std::ifstream file("/proc/" + ticket.substr(id + 1, count - id - 1) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  // "17 (name, which may have brackets) T ..."
  const std::size_t state = text.rfind(") ");
  return state != std::string::npos && text.compare(state + 2, 2, "T ") == 0;
}

/// A place in the line for one card.
class Ticket {
 public:
  /// Locked before it has its name: a ticket that can be seen and is not locked is a dead one's.
  Ticket(const fs::path& folder, const std::string& name) : file_(folder / name) {
    const fs::path unfinished = folder / (".new-" + name);
    fd_.reset(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (fd_ && Lock(fd_.get()) && ::rename(unfinished.c_str(), file_.c_str()) == 0) return;
    if (fd_) ::unlink(unfinished.c_str());
    fd_.reset();
  }
  ~Ticket() {
    if (fd_) ::unlink(file_.c_str());
  }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  bool ok() const { return bool(fd_); }

  bool IsFirst() const {
    const std::string own = file_.filename().string();
    std::error_code error;
    std::vector<std::string> before;
    for (fs::directory_iterator entry(file_.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (name.starts_with(kTicketPrefix) && name < own) before.push_back(std::move(name));
    }
    return std::ranges::all_of(before,
                               [&](const std::string& name) { return IsDead(name) || IsSuspended(name); });
  }

 private:
  bool IsDead(const std::string& name) const {
    const fs::path other = file_.parent_path() / name;
    const UniqueFd fd(::open(other.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    // Gone meanwhile, or something that is no ticket.
    if (!fd) return true;
    if (::flock(fd.get(), LOCK_SH | LOCK_NB) != 0) return false;
    ::unlink(other.c_str());  // Another user's stays, and is passed over.
    return true;
  }

  fs::path file_;
  UniqueFd fd_;
};

/// The card's own lock. Whoever is first in line tries to take it: so two never hold it, whatever the tickets
/// say.
UniqueFd OpenLock(const fs::path& folder) {
  const fs::path file = folder / kLockName;
  for (int attempt = 0; attempt < 3; ++attempt) {
    // Without O_CREAT first: the kernel refuses that for another user's file in such a folder.
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (fd) return fd;
    fd.reset(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (fd) return fd;
  }
  return {};
}

/// One line for each card that would do, and the same place in all.
class Line {
 public:
  Line(const fs::path& folder, const std::vector<std::string>& cards) {
    const std::string name = TicketName();
    for (const std::string& card : cards) {
      std::string file = card;
      std::ranges::replace(file, '/', '_');
      const fs::path place = folder / file;
      ok_ = ok_ && MakeCommonFolder(folder) && MakeCommonFolder(place);
      if (!ok_) return;
      locks_.push_back(OpenLock(place));
      tickets_.push_back(std::make_unique<Ticket>(place, name));
      ok_ = locks_.back() && tickets_.back()->ok();
    }
  }

  bool ok() const { return ok_; }

  CardTurn Wait() {
    for (;; std::this_thread::sleep_for(kBetweenLooks)) {
      for (std::size_t card = 0; card < locks_.size(); ++card) {
        if (tickets_[card]->IsFirst() && Lock(locks_[card].get())) return {std::move(locks_[card]), card};
      }
    }
  }

 private:
  std::vector<UniqueFd> locks_;
  std::vector<std::unique_ptr<Ticket>> tickets_;
  bool ok_ = true;
};

/// For a machine on which no file can be made: locks files in memory, one for each card. They keep apart the
/// checks of this process only.
CardTurn WaitInThisProcess(const std::vector<std::string>& cards) {
  static std::mutex mutex;
  static std::map<std::string, UniqueFd> files;
  for (;; std::this_thread::sleep_for(kBetweenLooks)) {
    const std::lock_guard guard(mutex);
    for (std::size_t card = 0; card < cards.size(); ++card) {
      UniqueFd& file = files[cards[card]];
      if (!file) file.reset(::memfd_create("warplings-card", MFD_CLOEXEC));
      const std::string own = "/proc/self/fd/" + std::to_string(file.get());
      // Opened anew, because a lock belongs to what was opened.
      UniqueFd lock(::open(own.c_str(), O_RDONLY | O_CLOEXEC));
      if (!lock) return {};
      if (Lock(lock.get())) return {std::move(lock), card};
    }
  }
}

}  // namespace

CardQueue CardQueue::OfThisMachine() {
  for (const char* base : {"/run/lock", "/dev/shm", "/tmp"}) {
    const fs::path folder = fs::path(base) / "warplings-cards";
    if (MakeCommonFolder(folder)) return CardQueue(folder);
  }
  return CardQueue({});
}

CardTurn CardQueue::Wait(const std::vector<std::string>& cards) const {
  if (!folder_.empty()) {
    Line line(folder_, cards);
    if (line.ok()) return line.Wait();
  }
  return WaitInThisProcess(cards);
}

}  // namespace warplings
