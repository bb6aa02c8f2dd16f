-- The script of wrk: each request creates a deal of its own, and nothing but 201 counts.
-- Its arguments: the token, and a body with twelve zeros in place of a number.
local mark = string.rep('0', 12)
local before, after, thread
local sent = 0
-- what thread:get reads is global
created = 0
refused = nil

function setup(only)
  thread = only
end

function init(args)
  wrk.headers['Host'] = wrk.host .. ':' .. wrk.port
  wrk.headers['Authorization'] = 'Token ' .. args[1]
  wrk.headers['Content-Type'] = 'application/json'
  local whole = wrk.format('POST', wrk.path, wrk.headers, args[2])
  local from, to = whole:find(mark, 1, true)
  before, after = whole:sub(1, from - 1), whole:sub(to + 1)
end

function request()
  sent = sent + 1
  return before .. string.format('%012d', sent) .. after
end

function response(status, _, body)
  if status == 201 then
    created = created + 1
  elseif refused == nil then
    refused = status .. ' ' .. body
  end
end

function done(summary)
  local refused, errors = thread:get('refused'), summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  if refused ~= nil or lost > 0 then
    io.stderr:write(refused or lost .. ' requests had no answer', '\n')
    os.exit(1)
  end
  -- the clock of the process is its CPU time
  local line = '{"created":%d,"seconds":%f,"cpu":%f}\n'
  io.write(line:format(thread:get('created'), summary.duration / 1e6, os.clock()))
end
