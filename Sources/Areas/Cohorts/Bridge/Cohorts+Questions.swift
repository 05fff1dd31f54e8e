import Anonymity
import Contract
import JSON
import Sealing
import Store
import Tracking

/// Third parties' questions and their answers.
extension Cohorts {
    /// - Returns: nil if a later turn replies.
    func query(
        _ filter: CohortFilter, in window: Range<Int>?, by asker: Person, _ requester: Requester
    ) throws -> [UInt8]? {
        let company = try company(of: asker)
        guard let complete = state.completeHour, let keys = settings.sealingKeys else {
            throw refusal(.tooSmall)
        }
        let window = window ?? complete + 1 - CohortCommand.usualWindow..<complete + 1
        try check(window, complete: complete)
        let question = CohortQuestion(filter, in: window)
        let known = try transaction.cohortAnswer(to: filter.stored, in: window)
        if let answer = known.flatMap({ CohortAnswer(stored: $0) }) {
            return JSONWriter.object { $0.members(answer.members(about: window)) }
        }
        let refusals = try transaction.countCohortRefusals(
            of: company, since: now - Cohorts.refusalPeriod)
        guard refusals < BridgeSettings.maximumCohortRefusals else {
            throw Problem(
                .tooManyAttempts, "Too many queries were refused today. Try again tomorrow.")
        }
        let busy = turn.decisions.refuses {
            state.waiting.count < BridgeSettings.maximumCohortQuestions
                && state.waiting.count { $0 == company }
                    < BridgeSettings.maximumCohortQuestionsOfCompany
                ? nil : Problem(.tooMany, "Too many queries are being answered. Try again.")
        }
        if let busy { throw busy }
        state.waiting.append(company)
        ask(.answer(question, CohortInquiry(company: company, asker: .request(requester))), keys)
        return nil
    }

    /// The period over which refusals are counted.
    static let refusalPeriod = Duration.seconds(86_400)

    private func company(of asker: Person) throws -> UserID {
        if asker.kind == .service { return areas.services.row(of: asker).company }
        try areas.services.checkSecondFactor(of: asker.id)
        return asker.id
    }

    private func check(_ window: Range<Int>, complete: Int) throws {
        guard window.upperBound <= complete + 1 else {
            let end = Timestamp(milliseconds: Int64(complete + 1) * 3_600_000)
            throw Problem(invalid: [
                .init(field: "to", reason: "must not be later than \(end.rfc3339)")
            ])
        }
        guard window.lowerBound >= Cohorts.hour(of: now - oldest) else {
            throw Problem(.tooOld, "No data is kept from that time.")
        }
    }

    // MARK: Subscriptions

    func subscribe(to filter: CohortFilter, by service: Person) throws -> [UInt8] {
        let own = look(through: state.subscriptions.values).filter { $0.service == service.id }
        if let known = own.first(where: { $0.filter == filter.stored }) {
            return describe(known, of: service)
        }
        guard own.count < BridgeSettings.maximumCohortSubscriptions else {
            let limit = BridgeSettings.maximumCohortSubscriptions
            throw Problem(.tooMany, "A service has at most \(limit) subscriptions.")
        }
        let next = (state.completeHour ?? Cohorts.hour(of: now) - 1) + 1
        let subscription = CohortSubscription(
            id: UUIDv7(at: now, random: (random.next(), random.next())), service: service.id,
            filter: filter.stored, nextHour: next)
        try transaction.save(subscription)
        state.set(subscription)
        noteUsage(.changes, of: service)
        return describe(subscription, of: service)
    }

    private func describe(_ subscription: CohortSubscription, of service: Person) -> [UInt8] {
        CohortResult.subscribed.bytes(
            of: (subscription.id, topics.string(.cohort(subscription.id, for: service.name))))
    }

    func unsubscribe(from id: UUIDv7, by service: Person) throws {
        guard state.subscriptions[id]?.service == service.id else {
            throw Problem(.unknownCohort, "This service has no such subscription.")
        }
        try transaction.deleteCohortSubscription(id)
        state.remove(id)
    }

    func list(of service: Person) -> [UInt8] {
        let own = look(through: state.subscriptions.values).filter { $0.service == service.id }
        return CohortResult.list.bytes(
            of: own.sorted { $0.id < $1.id }.map { ($0.id, CohortFilter(stored: $0.filter)) })
    }

    /// Asks about a subscription's next hour, skipping hours that are too old to be of interest.
    func ask(_ subscription: CohortSubscription, _ keys: SealingKeys) throws {
        guard let filter = CohortFilter(stored: subscription.filter),
            let service = areas.services.state.services[subscription.service],
            let complete = state.completeHour
        else { return }
        let hour = max(subscription.nextHour, complete + 1 - CohortCommand.usualWindow)
        let question = CohortQuestion(filter, in: hour..<hour + 1)
        let inquiry = CohortInquiry(
            company: service.company, asker: .subscription(subscription.id))
        if let known = try transaction.cohortAnswer(to: subscription.filter, in: hour..<hour + 1)
            .flatMap({ CohortAnswer(stored: $0) })
        {
            return try tell(.success(known), question, inquiry)
        }
        ask(.answer(question, inquiry), keys)
    }

    // MARK: Answers

    /// Stores a new answer and sends it. If another answer has been given since the decision, the
    /// question is asked again.
    func take(_ decision: CohortDecision, of work: CohortWork) throws {
        guard case .answer(let question, let inquiry) = work.task else { return }
        guard try transaction.lastCohortAnswer() == decision.basis else {
            return ask(work.task, work.keys)
        }
        switch decision.decision {
        case .known(let answer): try tell(.success(answer), question, inquiry)
        case .refused(let reason):
            if reason.isByEarlierAnswers { count("cohort-refusals-locked") }
            try tell(.failure(refusal(reason)), question, inquiry)
        case .new(let record):
            try transaction.insert(
                CohortAnswerRow(
                    requester: memory.people[inquiry.company]?.id, filter: question.filter.stored,
                    window: question.window, cost: record.cost.thousandths,
                    answer: record.answer.stored),
                contributors: decision.contributors)
            count("cohort-answers")
            try tell(.success(record.answer), question, inquiry)
        }
    }

    func tell(
        _ result: Result<CohortAnswer, Problem>, _ question: CohortQuestion,
        _ inquiry: CohortInquiry
    ) throws {
        if case .failure = result { count("cohort-refusals") }
        switch inquiry.asker {
        case .request(let asker):
            if let place = state.waiting.firstIndex(of: inquiry.company) {
                state.waiting.remove(at: place)
            }
            try tell(result, question, inquiry.company, asker)
        case .subscription(let id):
            guard var subscription = state.subscriptions[id],
                let service = memory.people[subscription.service]
            else { return }
            subscription.nextHour = question.window.upperBound
            try transaction.save(subscription)
            state.set(subscription)
            let payload = JSONWriter.object { json in
                json.key("cohort")
                json.string(id.description)
                switch result {
                case .success(let answer): json.members(answer.members(about: question.window))
                case .failure(let problem):
                    json.members(CohortAnswer.members(of: question.window))
                    json.key("problem")
                    json.problem(problem)
                }
            }
            try send(topics.string(.cohort(id, for: service.name)), payload)
        }
    }

    private func tell(
        _ result: Result<CohortAnswer, Problem>, _ question: CohortQuestion, _ company: UserID,
        _ asker: Requester
    ) throws {
        // A user who has been deleted cannot be answered.
        guard case .device(_, let user) = asker.party, let person = memory.people[user] else {
            return
        }
        try charge(person.budget) {
            switch result {
            case .success(let answer):
                let members = answer.members(about: question.window)
                try turn.reply(to: asker, .result(JSONWriter.object { $0.members(members) }))
            case .failure(let problem):
                if memory.people[company] != nil,
                    problem.kind == .cohortTooSmall || problem.kind == .cohortTooRevealing
                {
                    try transaction.noteCohortRefusal(of: company, at: now)
                }
                try turn.reply(to: asker, .problem(problem))
            }
        }
    }

    private func refusal(_ reason: CohortRefusal) -> Problem {
        let k = settings.cohorts.policy.k
        return switch reason {
        case .tooSmall:
            Problem(.cohortTooSmall, "The answer would cover fewer than \(k) people.")
        case .tooRevealing:
            Problem(
                .cohortTooRevealing,
                "Together with earlier answers, this would reveal something about fewer than \(k) "
                    + "people.")
        case .requesterBudgetSpent:
            Problem(
                .cohortTooRevealing,
                "Your privacy budget for some of these hours is used up.")
        case .dataBudgetSpent:
            Problem(
                .cohortTooRevealing,
                "The privacy budget for some of these hours is used up.")
        }
    }
}

extension CohortRefusal {
    /// Whether it could be answered without the earlier answers.
    fileprivate var isByEarlierAnswers: Bool {
        switch self {
        case .tooRevealing, .dataBudgetSpent: true
        case .tooSmall, .requesterBudgetSpent: false
        }
    }
}
