import Contract
import MQTT
import Tracking

extension Phone {
    /// Does something that people do, at random.
    func act() {
        var choices: [(Int, () -> Void)] = [
            (50, { self.report() }), (6, { self.upload() }), (4, { self.resend() }),
            (26, { self.ask() }), (4, { self.clockError = self.otherClock() }),
            (3, { self.talkNonsense() }),
        ]
        if world.isTight { choices.append((3, { self.flood() })) }
        world.chance.choose(choices.map { (weight: $0.0, choice: $0.1) })?()
    }

    private func otherClock() -> Duration {
        guard world.chance.happens(40) else { return .zero }
        return .milliseconds(
            world.chance.pick([-86_400_000, -300_000, -3000, 20_000, 90_000, 86_400_000]) ?? 0)
    }

    // MARK: Fixes

    private func report() {
        position = max(0, position + world.chance.number(-20...40))
        publishFixes([wall - world.chance.milliseconds(0...3000)])
    }

    /// Sends at once the fixes recorded without a network.
    private func upload() {
        let start = wall - world.chance.milliseconds(1000...3_600_000)
        publishFixes((0..<world.chance.number(2...8)).map { start + .seconds(10 * $0) })
    }

    private func publishFixes(_ times: [Timestamp]) {
        var elements: [String] = []
        var sequences: [(number: Int64, takenAt: Timestamp)] = []
        var accepted: [Timestamp] = []
        for var time in times {
            if kind == .ownTracks { time.milliseconds -= time.milliseconds % 1000 }
            accepted.append(time)
            if kind == .numbering {
                lastSequence += 1
                sequences.append((lastSequence, time))
            }
            elements.append(fixJSON(time, kind == .numbering ? lastSequence : nil))
        }
        let text = elements.count == 1 ? elements[0] : "[\(elements.joined(separator: ","))]"
        let topic =
            kind == .ownTracks
            ? "owntracks/\(user)/\(device)" : world.topics.string(.fix(user, device: device))
        let payload = Array(text.utf8)
        world.expect(accepted, in: payload)
        let message = Message(topic: topic, payload: payload)
        for (number, takenAt) in sequences {
            kept.append(
                KeptFix(
                    sequence: number, takenAt: takenAt, message: message,
                    isDoubtful: takenAt > world.wall + .seconds(40)))
        }
        world.trace.note("\(id) reports \(times.count)")
        publish(message)
    }

    func fixJSON(_ time: Timestamp, _ sequence: Int64? = nil) -> String {
        let latitude = Double(460_000_000 + position * 90) / 1e7
        if kind == .ownTracks {
            let mark = world.chance.happens(4) ? #","poi":"SOS""# : ""
            return #"{"_type":"location","lat":\#(latitude),"lon":14.5,"#
                + #""tst":\#(time.milliseconds / 1000)\#(mark)}"#
        }
        var text = #"{"latitude":\#(latitude),"longitude":14.5,"timestamp":\#(time.milliseconds)"#
        if world.chance.happens(30) { text += #","accuracy":12"# }
        if let sequence { text += #","seq":\#(sequence)"# }
        return text + "}"
    }

    private func resend() {
        for message in keptMessages.prefix(5) { publish(message) }
    }

    private func talkNonsense() {
        guard kind != .ownTracks else { return }
        let payload = world.chance.pick(["{}", "[", "", #"{"latitude":91}"#]) ?? ""
        publish(
            Message(
                topic: world.topics.string(.fix(user, device: device)),
                payload: Array(payload.utf8)))
    }

    // MARK: Requests

    /// Sends more requests than the bridge processes for anybody at once.
    private func flood() {
        for _ in 0..<world.chance.number(5...40) { ask() }
    }

    private func ask() {
        guard kind != .ownTracks, let (method, fields) = request() else { return }
        let number = world.nextNumber()
        // Sometimes without an id: such a request is not repeated.
        let isNumbered = world.chance.happens(90) || method.hasPrefix("account")
        let text = fields.replacing("#", with: "\(number)")
        let body = isNumbered ? "\"id\":\(number),\(text)" : text
        let message = Message(
            topic: world.topics.string(.request(user, device: device, method: method)),
            payload: Array("{\(body)}".utf8))
        if isNumbered { unanswered[number] = message }
        if isNumbered {
            world.namesAsked.formUnion(["G\(number)", "D\(number)", "C\(number)"])
        }
        world.trace.note("\(id) asks \(method) \(number)")
        publish(message)
        if isNumbered { world.oracles.passage.asked(number, by: self) }
    }

    /// Returns a method and its fields, in which `#` stands for the request's number.
    private func request() -> (String, String)? {
        let chance = world.chance
        let group = chance.pick(groups)?.text ?? world.chance.pick(world.knownGroups)?.text ?? "x"
        let selection = chance.happens(40) ? #""all""# : #"["\#(group)"]"#
        let other = chance.pick(world.phones)?.user ?? user
        let eta = world.wall.milliseconds + Int64(chance.number(20_000...900_000))
        let goal = Double(460_000_000 + chance.number(0...3000) * 90) / 1e7
        let journey =
            #""groups":\#(selection),"eta":\#(eta),"destination":{"latitude":\#(goal),"#
            + #""longitude":14.5,"name":"D#"}"#
        var choices: [(weight: Int, choice: (String, String))] = [
            (14, ("sharing.start", #""groups":\#(selection)"#)),
            (5, ("sharing.stop", #""groups":\#(selection)"#)),
            (12, ("journey.start", journey)),
            (4, ("journey.start", #""extend":true,"eta":\#(eta)"#)),
            (6, ("journey.stop", #""x":0"#)),
            (5, ("sos.trigger", #""fix":\#(sosFix())"#)), (6, ("sos.stop", #""x":0"#)),
            (3, ("group.create", #""name":"G#""#)),
            (8, ("group.add", #""group":"\#(group)","user":"\#(other)""#)),
            (4, ("group.remove", #""group":"\#(group)","user":"\#(other)""#)),
            (2, ("group.leave", #""group":"\#(group)""#)),
            (2, ("group.rename", #""group":"\#(group)","name":"N#""#)),
            (3, ("members.get", #""group":"\#(group)""#)),
            (14, ("chat.send", #""group":"\#(group)","text":"C#""#)),
            (4, ("chat.history", #""group":"\#(group)","limit":\#(chance.number(1...60))"#)),
            (2, ("alert.list", #""group":"\#(group)""#)),
            (2, ("path.get", #""group":"\#(group)","user":"\#(other)""#)),
            (2, ("account.get", #""x":0"#)), (1, ("account.export", #""x":0"#)),
            (1, ("account.update", #""firstName":"F#""#)),
            (1, ("device.list", #""x":0"#)), (1, ("account.logout", #""x":0"#)),
            (1, ("device.revoke", #""device":"watch""#)), (1, ("no.such", #""x":0"#)),
        ]
        choices += friendRequests(other)
        if let lastAlert {
            choices.append((6, ("alert.acknowledge", #""alert":"\#(lastAlert)""#)))
        }
        if let password, chance.happens(20) {
            choices.append((30, ("account.delete", #""password":"\#(password)""#)))
            choices.append((10, ("account.delete", #""password":"wrong-wrong""#)))
        }
        return chance.choose(choices)
    }

    private func friendRequests(_ other: Name) -> [(weight: Int, choice: (String, String))] {
        let some = world.chance.happens(50) ? #""all""# : #"["\#(other)"]"#
        let fix = world.chance.happens(30) ? #","fix":{"latitude":46.001,"longitude":14.5}"# : ""
        return [
            (14, ("friend.add", #""user":"\#(other)""#)),
            (2, ("friend.remove", #""user":"\#(other)""#)),
            (20, ("friend.share", #""with":\#(some)\#(fix)"#)),
            (9, ("friend.unshare", #""with":\#(some)"#)), (2, ("location.off", #""x":0"#)),
            (2, ("friend.nearby", #""radius":5000"#)), (1, ("friend.list", #""x":0"#)),
            (1, ("friend.block", #""user":"\#(other)""#)),
            (2, ("friend.unblock", #""user":"\#(other)""#)), (1, ("sharing.list", #""x":0"#)),
        ]
    }

    private func sosFix() -> String {
        let time = wall
        let text = fixJSON(time)
        return text
    }

    // MARK: Attempts that are not allowed

    func spy() {
        guard let wire, wire.isOpen else { return connect() }
        let chance = world.chance
        let group = chance.pick(world.knownGroups)?.text ?? "x"
        let victim = chance.pick(world.phones)?.user.text ?? "ann"
        let filters = [
            "#", "+/+/+", "kith/groups/#", "kith/groups/+/alerts", "kith/groups/\(group)/#",
            "kith/groups/\(group)/chat",
            "kith/groups/\(group)/members/\(victim)", "kith/users/\(victim)/groups",
            "kith/users/\(victim)/location", "kith/users/+/location",
            "kith/users/\(victim)/devices/phone/#", "owntracks/\(victim)/#", "kith/system/#",
            "$share/x/kith/groups/\(group)/#", "kith/guests/#", "kith/bridge/connections",
        ]
        if chance.happens(60), let filter = chance.pick(filters) {
            world.broker.subscribe(filter, .atLeastOnce, wire)
            return
        }
        let topics = [
            "kith/users/\(victim)/devices/phone/fix", "kith/groups/\(group)/alerts",
            "kith/groups/\(group)/chat",
            "kith/groups/\(group)/members/\(victim)", "kith/users/\(victim)/groups",
            "kith/users/\(victim)/devices/phone/requests/sos.trigger",
            "owntracks/\(victim)/phone", "kith/bridge/connections",
        ]
        guard let topic = chance.pick(topics) else { return }
        publish(
            Message(
                topic: topic, payload: Array(fixJSON(wall).utf8), qos: .atMostOnce,
                retain: chance.happens(30)))
    }
}
