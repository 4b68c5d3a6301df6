import { createHash } from 'node:crypto';

/**
 * Everything that is done in Redis: one script, so that each operation sees and changes all at once, by
 * the clock of Redis alone.
 *
 * KEYS: meta (incarnation, last epoch), nodes (node → until when it counts as live), circuits (circuit →
 * record), fleet (circuit or `*` → command), and for the operations on one circuit its votes
 * (node → until when the vote counts) and leases (token → end).
 * ARGV: operation, channel, node, incarnation, the time after which it is too late, the name of a new
 * incarnation, then those of the operation.
 *
 * What comes too late, or is of another incarnation, changes nothing: its status is `stale`.
 */
export const source = `
local meta, nodes, circuits, fleet, votes, leases = unpack(KEYS)
local operation, channel, node, incarnation, deadline, fresh = unpack(ARGV, 1, 6)
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
-- How long what is over, or was closed, is told to those who may not have heard of it.
local memory = 60000
local mostCircuits = 1000
local day = 86400000

-- Upwards: what is told must not be over before it is.
local function whole(number) return string.format('%.0f', math.ceil(number)) end

-- A key outlives what it says: times of keys are whole milliseconds.
local function keepFor(key, ms)
  ms = ms + 1000
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, whole(ms)) end
end

local function nextEpoch() return redis.call('HINCRBY', meta, 'epoch', 1) end

-- Who may not publish is heard at the next poll.
local function tell(circuit) redis.pcall('PUBLISH', channel, circuit) end

-- state, epoch, until, recovery, row
local function parse(text)
  local state, epoch, ends, recovery, row = string.match(text, '^(%a+) (%d+) (%d+) (%a+) (%d+)$')
  return state and { state = state, epoch = tonumber(epoch), ends = tonumber(ends), recovery = recovery, row = tonumber(row) }
end

-- An opening that ends by the clock says nothing any more once it is over.
local function isOver(record)
  if not record then return true end
  if record.state == 'open' and record.recovery == 'clock' then return record.ends <= now end
  return record.ends + memory <= now
end

local function read(circuit)
  local text = redis.call('HGET', circuits, circuit)
  local record = text and parse(text)
  if not isOver(record) then return record end
end

local function write(circuit, state, ends, recovery, row)
  local isNew = redis.call('HEXISTS', circuits, circuit) == 0
  if isNew and redis.call('HLEN', circuits) >= mostCircuits then return end
  local epoch = nextEpoch()
  redis.call('HSET', circuits, circuit, table.concat({ state, epoch, whole(ends), recovery, whole(row) }, ' '))
  keepFor(circuits, ends - now + 2 * memory)
  keepFor(meta, ends - now + 8 * day)
  tell(circuit)
  return read(circuit)
end

local function shown(circuit, record)
  if not record then return nil end
  local waitMs = math.max(0, math.ceil(record.ends - now))
  return { circuit, record.state, record.epoch, waitMs, record.recovery, record.row }
end

local function answer(result)
  result.status = result.status or 'ok'
  result.incarnation = redis.call('HGET', meta, 'incarnation')
  result.epoch = tonumber(redis.call('HGET', meta, 'epoch'))
  result.now = now
  return cjson.encode(result)
end

-- Records from before an incarnation have nothing to do with its epochs.
if redis.call('HEXISTS', meta, 'incarnation') == 0 then
  redis.call('DEL', circuits, fleet)
  redis.call('HSET', meta, 'incarnation', fresh, 'epoch', 0)
  keepFor(meta, 8 * day)
end

local operations = {}

-- liveFor: how long the node counts as one that has a vote; 0 for one that has none.
local function live(liveFor)
  redis.call('ZREMRANGEBYSCORE', nodes, '-inf', now)
  if tonumber(liveFor) == 0 then return end
  redis.call('ZADD', nodes, 'GT', now + liveFor, node)
  redis.call('ZREMRANGEBYRANK', nodes, 0, -10001)
  keepFor(nodes, tonumber(liveFor))
end

-- Tells all.
function operations.poll(liveFor)
  live(liveFor)
  keepFor(meta, 8 * day)
  local told, commands = {}, {}
  local all = redis.call('HGETALL', circuits)
  for index = 1, #all, 2 do
    local record = parse(all[index + 1])
    if isOver(record) then redis.call('HDEL', circuits, all[index])
    else table.insert(told, shown(all[index], record)) end
  end
  local given = redis.call('HGETALL', fleet)
  local isAllOpen = string.match(redis.call('HGET', fleet, '*') or '', '^open')
  for index = 1, #given, 2 do
    local command, epoch, ends = string.match(given[index + 1], '^(%a+) (%d+) (%d+)$')
    -- What is closed in spite of a command for all stands as long as that.
    if command == 'close' and tonumber(ends) <= now and not isAllOpen then redis.call('HDEL', fleet, given[index])
    else table.insert(commands, { given[index], command, tonumber(epoch) }) end
  end
  -- What stands until somebody ends it stands as long as somebody asks.
  if #given > 0 then keepFor(fleet, 8 * day) end
  return { circuits = told, fleet = commands }
end

-- A rate limit is everybody's.
function operations.rest(circuit, ms, recovery, row)
  local record = read(circuit)
  local isOpen = record and record.state == 'open'
  local ends = now + ms
  if isOpen and record.ends >= ends then return { circuits = { shown(circuit, record) } } end
  if isOpen and record.recovery == 'probe' then recovery = 'probe' end
  return { circuits = { shown(circuit, write(circuit, 'open', ends, recovery, tonumber(row))) } }
end

-- An outage needs a quorum of those that live.
function operations.vote(circuit, ms, recovery, row, quorum, voteFor, liveFor)
  live(liveFor)
  redis.call('ZREMRANGEBYSCORE', votes, '-inf', now)
  redis.call('ZADD', votes, now + voteFor, node)
  redis.call('ZREMRANGEBYRANK', votes, 0, -10001)
  keepFor(votes, tonumber(voteFor))
  local record = read(circuit)
  local needed = math.max(2, math.ceil(quorum * redis.call('ZCARD', nodes)))
  local isResting = record and record.state == 'open' and record.ends > now
  if not isResting and #redis.call('ZINTER', 2, votes, nodes) >= needed then
    record = write(circuit, 'open', now + ms, recovery, tonumber(row))
  end
  return { circuits = { shown(circuit, record) } }
end

function operations.unvote()
  redis.call('ZREM', votes, node)
  return {}
end

local function free(circuit, token)
  if redis.call('ZREM', leases, token) == 0 then return false end
  tell(circuit)
  return true
end

-- The right to probe, for so long, to so many at once.
function operations.lease(circuit, token, ms, budget)
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  local record = read(circuit)
  local isOpen = record and record.state == 'open'
  if isOpen and record.ends > now then
    return { granted = false, waitMs = record.ends - now, circuits = { shown(circuit, record) } }
  end
  if redis.call('ZCARD', leases) >= tonumber(budget) then
    local first = redis.call('ZRANGE', leases, 0, 0, 'WITHSCORES')
    return { granted = false, waitMs = math.max(0, first[2] - now), circuits = { shown(circuit, record) } }
  end
  redis.call('ZADD', leases, now + ms, token)
  keepFor(leases, tonumber(ms))
  return { granted = true, leaseEpoch = isOpen and record.epoch or 0, circuits = { shown(circuit, record) } }
end

-- What came of a probe counts only under its lease, and for the opening that it was sent in.
function operations.finish(circuit, token, epoch, outcome, ms, recovery, row)
  if not free(circuit, token) then return {} end
  local record = read(circuit)
  local isCurrent = record and record.state == 'open' and record.epoch == tonumber(epoch)
  if isCurrent and outcome == 'passed' then
    redis.call('DEL', votes)
    record = write(circuit, 'closed', now, 'probe', 0)
  elseif isCurrent and outcome == 'failed' then
    record = write(circuit, 'open', now + ms, recovery, tonumber(row))
  end
  return { circuits = { shown(circuit, record) } }
end

-- A command to all processes; of one circuit, or of '*'.
function operations.fleet(circuit, command)
  local isNew = redis.call('HEXISTS', fleet, circuit) == 0
  local isFull = isNew and redis.call('HLEN', fleet) >= mostCircuits
  -- One for all takes the place of the others.
  if isFull and circuit ~= '*' then return { status = 'full' } end
  if circuit == '*' then redis.call('DEL', fleet, circuits)
  else redis.call('HDEL', circuits, circuit) end
  redis.call('DEL', votes)
  local epoch = nextEpoch()
  redis.call('HSET', fleet, circuit, table.concat({ command, epoch, whole(now + memory) }, ' '))
  keepFor(fleet, 8 * day)
  keepFor(meta, 9 * day)
  tell(circuit)
  return { fleet = { { circuit, command, epoch } } }
end

function operations.leave()
  redis.call('ZREM', nodes, node)
  return {}
end

local isStale = operation ~= 'poll' and operation ~= 'fleet' and incarnation ~= redis.call('HGET', meta, 'incarnation')
if isStale or (deadline ~= '' and now > tonumber(deadline)) then return answer({ status = 'stale' }) end
return answer(operations[operation](unpack(ARGV, 7)))
`;

/** The longest time that the script is told, in ms. */
export const longest = 30 * 86_400_000;

export const sha = createHash('sha1').update(source).digest('hex');
