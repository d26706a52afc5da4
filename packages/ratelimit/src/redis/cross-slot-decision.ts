/**
 * A Redis Cluster script can access one hash slot only, so limits in several slots are decided slot by slot, in request
 * order. If a slot refuses or fails, the earlier charges are refunded. A crash in between leaves them charged: the
 * limiter then admits too few requests, never too many.
 */
import type { ChargeMode, LimitCharge, Reservation, StoreDecision } from '../store/limit-charge';
import type { SettleRequest, SettleResult } from '../store/limit-store';
import { chargesOf, groupBySlot, mergeDecisions, type SlotGroup } from './hash-tags';

export interface Scripts {
  readonly decide: (mode: ChargeMode, id: string, charges: readonly LimitCharge[]) => Promise<StoreDecision>;
  readonly settle: (settlement: SettleRequest) => Promise<SettleResult>;
  readonly context: (reservation: string) => Promise<string | null>;
}

interface ReservedSlot {
  readonly reservation: string;
  readonly indexes: readonly number[];
}

type ChargingMode = Exclude<ChargeMode, 'peek'>;

/** Lifetime of the intermediate reservations; afterwards they stay charged. */
const compensationMilliseconds = 10_000;

/** All slots but the last are charged by reservations, so that they can be refunded. */
const otherSlotMode = (mode: ChargingMode, id: string, { tag }: SlotGroup): Reservation =>
  typeof mode === 'string'
    ? { reservation: `{${tag}}:${id}`, milliseconds: compensationMilliseconds, context: '' }
    : { ...mode, reservation: `{${tag}}:${mode.reservation}`, context: '' };

/** The final reservation records those of the other slots. */
const lastSlotMode = (mode: ChargingMode, reserved: readonly ReservedSlot[]): ChargingMode =>
  typeof mode === 'string' ? mode : { ...mode, context: `${JSON.stringify(reserved)}\n${mode.context}` };

const splitContext = (stored: string): { readonly reserved: readonly ReservedSlot[]; readonly context: string } => {
  const end = stored.indexOf('\n');
  return {
    reserved: JSON.parse(stored.slice(0, end)) as readonly ReservedSlot[],
    context: stored.slice(end + 1),
  };
};

const refundAll = (scripts: Scripts, reserved: readonly ReservedSlot[]): Promise<unknown> =>
  Promise.allSettled(
    reserved.map(({ reservation, indexes }) =>
      scripts.settle({ reservation, actual: indexes.map(() => 0), final: true }),
    ),
  );

const peekSlots = async (
  scripts: Scripts,
  slots: readonly SlotGroup[],
  charges: readonly LimitCharge[],
): Promise<readonly StoreDecision[]> =>
  Promise.all(slots.map((slot) => scripts.decide('peek', '', chargesOf(charges, slot))));

interface CrossSlotRequest {
  readonly mode: ChargingMode;
  readonly id: string;
  readonly charges: readonly LimitCharge[];
}

type ChargeSlots = (
  request: CrossSlotRequest,
  slots: readonly SlotGroup[],
  reserved: ReservedSlot[],
) => Promise<readonly StoreDecision[]>;

/** Charges slots up to the first that does not admit. */
const createChargeSlots =
  (scripts: Scripts): ChargeSlots =>
  async ({ mode, id, charges }, slots, reserved) => {
    const decided: StoreDecision[] = [];
    const last = slots.length - 1;
    for (const [at, slot] of slots.entries()) {
      const partMode = at === last ? lastSlotMode(mode, [...reserved]) : otherSlotMode(mode, id, slot);
      // Recorded before the call: a lost reply may have been an admission.
      if (at < last && typeof partMode !== 'string')
        reserved.push({ reservation: partMode.reservation, indexes: slot.indexes });
      const result = await scripts.decide(partMode, id, chargesOf(charges, slot));
      decided.push(result);
      if (result.outcome !== 'admitted') return decided;
    }
    return decided;
  };

const createCrossSlotDecide = (scripts: Scripts): Scripts['decide'] => {
  const take = createChargeSlots(scripts);
  return async (mode, id, charges) => {
    const slots = groupBySlot(mode, charges);
    if (mode === 'peek') return mergeDecisions(slots, await peekSlots(scripts, slots, charges));
    const reserved: ReservedSlot[] = [];
    try {
      const decided = await take({ mode, id, charges }, slots, reserved);
      const last = decided.at(-1);
      if (last === undefined || last.outcome === 'admitted') return mergeDecisions(slots, decided);
      await refundAll(scripts, reserved);
      const [before, after] = [slots.slice(0, decided.length - 1), slots.slice(decided.length)];
      const [refunded, others] = await Promise.all([before, after].map((some) => peekSlots(scripts, some, charges)));
      return mergeDecisions(slots, [...(refunded ?? []), last, ...(others ?? [])]);
    } catch (error) {
      await refundAll(scripts, reserved);
      throw error;
    }
  };
};

const createCrossSlotSettle =
  (scripts: Scripts): Scripts['settle'] =>
  async ({ reservation, actual, final }) => {
    const stored = await scripts.context(reservation);
    if (stored === null) return { outcome: 'unknown', changes: [] };
    const changes: number[] = actual.map(() => 0);
    const settle = async (slot: ReservedSlot): Promise<SettleResult> => {
      const amounts = slot.indexes.map((index) => actual[index]);
      const result = await scripts.settle({ reservation: slot.reservation, actual: amounts, final });
      slot.indexes.forEach((index, inSlot) => {
        changes[index] = result.changes[inSlot] ?? 0;
      });
      return result;
    };
    const { reserved } = splitContext(stored);
    // The main reservation last, so that a repeated settlement completes the others.
    for (const slot of reserved) await settle(slot);
    const others = new Set(reserved.flatMap(({ indexes }) => indexes));
    const own = [...actual.keys()].filter((index) => !others.has(index));
    return { outcome: (await settle({ reservation, indexes: own })).outcome, changes };
  };

export const createCrossSlotScripts = (scripts: Scripts): Scripts => ({
  decide: createCrossSlotDecide(scripts),
  settle: createCrossSlotSettle(scripts),
  context: async (reservation) => {
    const stored = await scripts.context(reservation);
    return stored === null ? null : splitContext(stored).context;
  },
});
