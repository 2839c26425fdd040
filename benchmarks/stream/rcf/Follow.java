// SPDX-License-Identifier: Apache-2.0
import com.amazon.randomcutforest.RandomCutForest;
import java.io.BufferedReader;
import java.io.InputStreamReader;

/**
 * Follows the events of the standard input with AWS's random cut forest: a line of numbers per event in, its score out,
 * as `Follow METRICS WINDOW SEED`. Each event is scored, then learned. Trees, sample size and decay are the defaults.
 */
final class Follow {
  public static void main(String[] args) throws Exception {
    int metrics = Integer.parseInt(args[0]);
    int window = Integer.parseInt(args[1]);
    RandomCutForest forest =
        RandomCutForest.builder()
            .dimensions(metrics * window)
            .shingleSize(window)
            .internalShinglingEnabled(true)
            .randomSeed(Long.parseLong(args[2]))
            .build();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    StringBuilder out = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      float[] event = new float[metrics];
      for (int i = 0; i < metrics; ++i) event[i] = Float.parseFloat(words[i]);
      out.append(forest.getAnomalyScore(event)).append('\n');
      forest.update(event);
    }
    System.out.print(out);
  }
}
